// The same task with our own interface, which has deadlines and needs no SDK for MCP.
import { openSession } from "@agentwire/host";

const task = JSON.parse(process.env.AGENTWIRE_TASK);

const session = await openSession({
  agent: process.env.AGENTWIRE_AGENT,
  ...(task.silenceMs && { deadlines: { silenceMs: task.silenceMs, exitMs: task.silenceMs } }),
  ...(task.permissions && {
    permissions: ({ tool_name }, { signal }) => decide(task.permissions[tool_name], signal),
  }),
  handlers: {
    ...(task.hooks && { hook_callback: ({ callback_id }) => task.hooks[callback_id] }),
    ...(task.server && {
      mcp_message: ({ message }) => ({ mcp_response: { jsonrpc: "2.0", ...calculate(message) } }),
    }),
  },
  initialize: {
    ...(task.hooks && { hooks: registrations(task.hooks) }),
    ...(task.server && { sdkMcpServers: [task.server] }),
  },
}).catch(giveUp);

let results = 0;
let isInterrupted = false;
try {
  session.send(task.prompts[0]);
  for await (const message of session.messages) {
    if (message.type === task.interruptAt && !isInterrupted) {
      isInterrupted = true;
      void session.request("interrupt", {}).catch(giveUp);
    }
    if (message.type !== "result") continue;
    process.stdout.write(`${message.result ?? message.subtype}\n`);
    if (message.is_error) process.exitCode = 1;
    const next = task.prompts[++results];
    if (next === undefined) break;
    session.send(next);
  }
  await session.drain();
} catch (error) {
  giveUp(error);
}

function giveUp(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function decide(answer, signal) {
  if (answer !== "wait") return answer;
  const denied = { behavior: "deny", message: "the question was withdrawn" };
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(denied)));
}

/** Every hook is named after its event. */
function registrations(hooks) {
  return Object.fromEntries(Object.keys(hooks).map((event) => [event, [{ hookCallbackIds: [event] }]]));
}

function calculate({ id = 0, method, params }) {
  const serverInfo = { name: task.server, version: "1.0.0" };
  const { a, b } = params?.arguments ?? {};
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
    "notifications/initialized": {},
    "tools/list": { tools: [{ name: "add", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: String(a + b) }] },
  };
  return { id, result: results[method] };
}
