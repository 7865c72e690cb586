// An MCP server on stdio. Its first argument selects how it misbehaves; without one it behaves correctly.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [mode = "good", detail = ""] = process.argv.slice(2);
if (mode === "broken") {
  process.stderr.write("no database here\n");
  process.exit(3);
}
if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}
// A child process, like those of launchers; the tool `pids` reports its pid.
const helper = mode === "stubborn" ? spawn("sleep", ["600"], { stdio: "ignore" }) : undefined;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const asked = new Map();
let hasMore = false;

const tool = (name, more = {}) => ({
  name,
  description: `About ${name}.`,
  inputSchema: { type: "object" },
  ...more,
});
const tools = () => [
  tool("echo", { annotations: { readOnlyHint: true, destructiveHint: false } }),
  tool("fail"),
  tool("crash"),
  tool("wait"),
  tool("huge"),
  tool("endless"),
  tool("media"),
  tool("structured"),
  tool("nothing"),
  tool("ask"),
  tool("pids"),
  tool("grow"),
  tool("odd name!", { inputSchema: null, title: "Odd" }),
  tool("x".repeat(200)),
  { description: "no name" },
  ...(hasMore ? [tool("grown")] : []),
];

const text = (value) => ({ content: [{ type: "text", text: value }] });
const pixel = "iVBORw0KGgo=";
const calls = {
  echo: (input) => text(`echo: ${input.text} from ${process.cwd()} with ${process.env.GREETING}`),
  fail: () => ({ ...text("boom"), isError: true }),
  crash: () => {
    process.stderr.write("out of luck\n");
    process.exit(7);
  },
  wait: (_, id) => {
    cancellable.add(id);
    return undefined;
  },
  endless: () => text("y".repeat(70 * 1024 * 1024)),
  late: ({ text: said, ms }, id) => {
    setTimeout(() => write({ id, result: text(said) }), ms);
    return undefined;
  },
  steps: (input, _, { progressToken } = {}) => {
    write({ method: "notifications/progress", params: { progressToken, progress: 1, message: input.text } });
    return text(`done: ${input.text}`);
  },
  huge: () => text("y".repeat(150_000)),
  media: () => ({
    content: [
      { type: "image", mimeType: "image/png", data: pixel },
      { type: "image", mimeType: "image/svg+xml", data: pixel },
      { type: "image", mimeType: "image/png", data: "no picture!" },
      { type: "text", text: "" },
      { type: "audio", mimeType: "audio/wav", data: pixel },
      { type: "resource", resource: { uri: "note://1", text: "a note" } },
      { type: "resource_link", uri: "note://2", name: "two" },
      { type: "hologram", depth: 3 },
    ],
  }),
  structured: () => ({ content: [], structuredContent: { answer: 42 } }),
  nothing: () => ({}),
  ask: (_, id) => {
    asked.set("q1", id);
    write({
      id: "q1",
      method: "elicitation/create",
      params: { message: "Who?", requestedSchema: { type: "object" } },
    });
    return undefined;
  },
  told: () => text(JSON.stringify(told)),
  pids: () => text(JSON.stringify([process.pid, helper?.pid])),
  grow: () => {
    hasMore = true;
    write({ method: "notifications/tools/list_changed" });
    return text("grown");
  },
};
const cancellable = new Set();
/** How often each method was called. */
const told = {};

const methods = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
    serverInfo: { name: "test server", version: "1.2.3" },
    ...(mode === "talkative" && { instructions: `Ask me anything. ${"la ".repeat(5_000)}` }),
  }),
  "tools/list": (params) =>
    params?.cursor ? { tools: tools().slice(3) } : { tools: tools().slice(0, 3), nextCursor: "rest" },
  "prompts/list": () => ({
    prompts: [
      {
        name: "greet",
        description: "Greets.",
        arguments: [{ name: "who", required: true }, { name: "how" }],
      },
    ],
  }),
  "prompts/get": (params) => ({
    messages: [{ role: "user", content: { type: "text", text: JSON.stringify(params.arguments) } }],
  }),
  "resources/list": () => ({ resources: [{ uri: "note://1", name: "one", mimeType: "text/plain" }] }),
  "resources/read": (params) => ({
    contents:
      params.uri === "note://bytes"
        ? [{ uri: params.uri, mimeType: "image/jpeg", blob: pixel }]
        : [{ uri: params.uri, mimeType: "text/plain", text: "a note" }],
  }),
  "tools/call": (params, id) => calls[params.name](params.arguments, id, params._meta),
};

if (mode === "noisy") process.stdout.write("starting…\n[1,2]\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method !== undefined) told[method] = (told[method] ?? 0) + 1;
  if (mode === "silent") return;
  if (mode === "dies-after-handshake" && method === "tools/list") process.exit(1);
  if (method === "notifications/cancelled") {
    process.stderr.write(`cancelled ${cancellable.has(params.requestId)}\n`);
    return;
  }
  if (method === undefined) {
    write({ method: "notifications/elicitation/complete", params: { elicitationId: "e1" } });
    write({ id: asked.get(id), result: text(JSON.stringify(result ?? error)) });
    return;
  }
  if (id === undefined) return;
  const answer = methods[method]?.(params, id);
  if (answer !== undefined) write({ id, result: answer });
  else if (!methods[method]) write({ id, error: { code: -32601, message: `no ${method} ${detail}` } });
});
