// The minimum that a daemon without data loss must do: appends an agent's output to a file, and passes it on to all clients once it is on disk.
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { createServer } from "node:http2";
import { createInterface } from "node:readline";
import { WatchResponseSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";

const [, , socketPath, agent] = process.argv;
const HEAD_BYTES = 5;
const clients = new Set();

const server = createServer();
server.on("stream", (stream) => {
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
  clients.add(stream);
  stream.once("close", () => clients.delete(stream));
  stream.on("error", () => {});
});

const { stdin, stdout } = spawn(agent, [], { stdio: ["pipe", "pipe", "inherit"] });
createInterface({ input: process.stdin }).on("line", (content) =>
  stdin.write(`${JSON.stringify({ type: "user", message: { content } })}\n`),
);
process.stdin.on("close", () => stdin.end());

const log = await open(`${socketPath}.log`, "a");
let waiting = [];
let writing = false;

/** Lines that arrive during a write to disk are written together. */
async function store() {
  if (writing) return;
  writing = true;
  while (waiting.length > 0) {
    const all = waiting;
    waiting = [];
    await log.appendFile(Buffer.concat(all));
    await log.datasync();
    for (const bytes of all) send(bytes);
  }
  writing = false;
}

let rest = "";
stdout.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  const events = lines.map((line) => eventOf(JSON.parse(line))).filter(Boolean);
  if (events.length === 0) return;
  waiting.push(toBinary(WatchResponseSchema, create(WatchResponseSchema, { events })));
  void store();
});
stdout.on("close", () => process.exit());

function eventOf({ type, event }) {
  if (type === "result") return { body: { case: "turnComplete", value: { result: "done" } } };
  const text = event?.delta?.text;
  return text === undefined ? undefined : { body: { case: "textDelta", value: { text } } };
}

function send(bytes) {
  const frame = Buffer.alloc(HEAD_BYTES + bytes.length);
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, HEAD_BYTES);
  for (const client of clients) client.write(frame);
}

server.listen(socketPath, () => process.stdout.write("ready\n"));
