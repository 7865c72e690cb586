// A Messages API in a separate process, which answers by the last prompt: to `tool` with a tool call and then with "done", to `ask` with
// a call that needs permission, to `stream N RATE` with N pieces, RATE per second, each with the time at which it was sent, and to
// anything else at once.
import { createServer } from "node:http";

const TICK_MS = 10;
const USAGE = { input_tokens: 10, output_tokens: 5 };

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const { content } = body.messages?.at(-1) ?? {};
  if (content === undefined) return response.end("{}");
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const isResult = blocks.some(({ type }) => type === "tool_result");
  // The prompt from before a kill may precede the new one in the same message.
  const said = isResult ? "" : (blocks.at(-1)?.text ?? "");
  const [, count, rate] = /\bstream (\d+) (\d+)\b/.exec(said) ?? [];
  if (body.stream !== true)
    return response.setHeader("content-type", "application/json").end(JSON.stringify(message("ok")));
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (count) return stream(response, Number(count), Number(rate));
  if (/\btool\b/.test(said)) return response.end(events(toolCall("echo ok"), "tool_use"));
  if (/\bask\b/.test(said)) return response.end(events(toolCall("touch asked"), "tool_use"));
  response.end(events(textBlock(["done"]), "end_turn"));
});
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on("disconnect", () => process.exit());

function stream(response, count, rate) {
  response.write(
    lines(begin(), { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  );
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * rate));
    const now = `${performance.timeOrigin + performance.now()} `;
    let text = "";
    for (; sent < due; sent++) text += lines(delta({ type: "text_delta", text: now }));
    if (text !== "") response.write(text);
    if (sent < count) return;
    clearInterval(timer);
    response.end(lines({ type: "content_block_stop", index: 0 }, ...end("end_turn")));
  }, TICK_MS);
  response.on("close", () => clearInterval(timer));
}

const delta = (value) => ({ type: "content_block_delta", index: 0, delta: value });

const textBlock = (pieces) => [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...pieces.map((text) => delta({ type: "text_delta", text })),
  { type: "content_block_stop", index: 0 },
];

let calls = 0;
const toolCall = (command) => [
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: `toolu_${++calls}`, name: "Bash", input: {} },
  },
  delta({ type: "input_json_delta", partial_json: JSON.stringify({ command, description: "Say ok" }) }),
  { type: "content_block_stop", index: 0 },
];

const message = (text) => ({
  id: `msg_${++calls}`,
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content: text === undefined ? [] : [{ type: "text", text }],
  stop_reason: text === undefined ? null : "end_turn",
  stop_sequence: null,
  usage: USAGE,
});

const begin = () => ({ type: "message_start", message: message() });
const end = (stop_reason) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
  { type: "message_stop" },
];
const events = (blocks, reason) => lines(begin(), ...blocks, ...end(reason));
const lines = (...all) =>
  all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
