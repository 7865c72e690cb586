import { once } from "node:events";
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect as connectSocket } from "node:net";
import { HealthService, SessionService, WatchRequestSchema, WatchResponseSchema } from "@agentwire/api";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Lab, TINY_AGENT } from "../chaos/lab.ts";

let lab: Lab;
beforeAll(async () => {
  // Longer than a busy machine delays the reads of a client that does read.
  lab = new Lab({ agents: [TINY_AGENT], spareProcesses: 0, queueBytes: 100_000, stallMs: 15_000 });
  await lab.start();
});
afterAll(async () => {
  // The exit code is not 0 if anything leaked or failed unnoticed.
  expect(await lab.kill("SIGTERM")).toBe(0);
  await lab.end();
});

const watchers = async (sessionId: string) =>
  (await lab.sessions.getSession({ sessionId })).session?.watchers ?? 0;
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

const connect = () =>
  connectHttp2("http://localhost", { createConnection: () => connectSocket(lab.socketPath) });

/** A native gRPC watcher, by default on its own connection; it reads nothing until told to. */
function watcher(sessionId: string, connection = connect()) {
  const stream = connection.request({
    ":method": "POST",
    ":path": `/${SessionService.typeName}/Watch`,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const message = toBinary(WatchRequestSchema, create(WatchRequestSchema, { sessionId }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  return { connection, stream };
}

/** Reads a stream to its end, or to the end of the turn. */
async function read(stream: ClientHttp2Stream, toTurnEnd: boolean) {
  let bytes = Buffer.alloc(0);
  const seqs: number[] = [];
  const notices: string[] = [];
  const faults: string[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      const size = bytes.readUInt32BE(1);
      const { events, notice } = fromBinary(WatchResponseSchema, bytes.subarray(5, 5 + size));
      bytes = bytes.subarray(5 + size);
      if (notice) notices.push(notice.code);
      for (const { seq, supersedesFrom } of events) {
        const last = seqs.at(-1) ?? 0;
        // A client that fell behind receives the finished reply instead of its deltas.
        const isNext =
          Number(seq) === last + 1 || (supersedesFrom > 0n && Number(supersedesFrom) <= last + 1);
        if (Number(seq) <= last || !isNext) faults.push(`${seq} after ${last}`);
        seqs.push(Number(seq));
      }
      if (toTurnEnd && events.some(({ body }) => body.case === "turnComplete"))
        return { seqs, notices, faults };
    }
  }
  return { seqs, notices, faults };
}

test.concurrent("fifty clients that never read do not slow down fifty others, and learn why their streams ended", async () => {
  const { session } = await lab.sessions.createSession({});
  const sessionId = session?.id ?? "";
  const readers = Array.from({ length: 50 }, () => watcher(sessionId));
  const sleepers = Array.from({ length: 50 }, () => watcher(sessionId));
  const reading = readers.map(({ stream }) => read(stream, true));
  while ((await watchers(sessionId)) < 100) await pause();
  await lab.sessions.sendPrompt({ sessionId, text: "talk 600 1000" });
  for (const { faults, notices, seqs } of await Promise.all(reading)) {
    expect(faults).toEqual([]);
    expect(notices).not.toContain("evicted");
    expect(seqs.at(-1)).toBeGreaterThan(600);
  }
  for (const { connection } of readers) connection.destroy();
  await lab.sessions.sendPrompt({ sessionId, text: "talk 4000" });
  while ((await watchers(sessionId)) > 0) await pause();
  // The last one evicted: on a busy machine the time for the final notice of the first ones is over by now.
  const late = sleepers.at(-1) ?? watcher(sessionId);
  const { faults, notices } = await read(late.stream, false);
  expect(faults).toEqual([]);
  expect(notices.at(-1)).toBe("evicted");
  for (const { connection } of sleepers) connection.destroy();
}, 240_000);

test.concurrent("a client that has not read large events yet is answered on the same connection", async () => {
  const { session } = await lab.sessions.createSession({});
  const sessionId = session?.id ?? "";
  const reading = watcher(sessionId);
  await lab.sessions.sendPrompt({ sessionId, text: "talk 9 1000000" });
  await read(reading.stream, true);
  reading.connection.destroy();

  const connection = connect();
  const sleepers = [watcher(sessionId, connection), watcher(sessionId, connection)];
  await Promise.all(sleepers.map(({ stream }) => once(stream, "response")));
  for (let i = 0; i < 20; i++) {
    const stream = connection.request({
      ":method": "POST",
      ":path": `/${HealthService.typeName}/GetVersion`,
      "content-type": "application/json",
    });
    stream.end("{}");
    const [{ ":status": status }] = await once(stream, "response");
    expect(status).toBe(200);
    stream.resume();
    await pause();
  }
  connection.destroy();
}, 120_000);

test.concurrent("a client that watches and sends commands on one stream receives the outcomes, and leaves nothing behind", async () => {
  const baseUrl = "http://localhost";
  const nodeOptions = { createConnection: () => connectSocket(lab.socketPath) };
  const client = createClient(
    SessionService,
    createConnectTransport({ baseUrl, httpVersion: "2", nodeOptions }),
  );
  const { session } = await client.createSession({});
  const sessionId = session?.id ?? "";
  let finish = () => {};
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* commands() {
    yield { requestId: "1", command: { case: "watch" as const, value: { sessionId } } };
    yield { requestId: "2", command: { case: "sendPrompt" as const, value: { sessionId, text: "talk 2" } } };
    await over;
    yield { requestId: "3", command: { case: "interrupt" as const, value: { sessionId } } };
  }
  const done: string[] = [];
  for await (const { message } of client.converse(commands())) {
    if (message.case === "done") done.push(message.value.requestId);
    const events = message.case === "watch" ? message.value.events : [];
    if (events.some(({ body }) => body.case === "turnComplete")) finish();
  }
  expect(done).toEqual(["2", "3"]);
  while ((await watchers(sessionId)) > 0) await pause();
}, 120_000);
