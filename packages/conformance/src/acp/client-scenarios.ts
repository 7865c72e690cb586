import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { show } from "../compare/compare.ts";
import { ENDS, fails, prints, succeeds, writes } from "../host-score/checks.ts";
import type { Check, HostScenario, HostTheme } from "../host-score/host-scenario.ts";
import { at } from "../json-path.ts";
import type { Step } from "../scripted-agent/step.ts";
import { SchemaCheck } from "./schema-check.ts";

/** What a client program must do: it reads this as JSON from AGENTWIRE_TASK. */
interface ClientTask {
  /** Sent in order, each after the previous turn has ended; the agent's text of every turn is printed as a line. */
  readonly prompts: readonly string[];
  /** The kind of option that answers questions; `allow_once` by default. */
  readonly answer?: "allow_once" | "reject_once";
  /** Cancels the turn at the first update of this kind. */
  readonly cancelAt?: string;
}

const SESSION = "sess-1";
const HELLO: ClientTask = { prompts: ["hello"] };
const LONG = "x".repeat(4_000_000);

/** The agent waits for a request and answers it. */
const answers = (method: string, result: JsonObject): readonly Step[] => [
  { hear: { method }, learn: { [method.replace(/\W/g, "_")]: ["id"] } },
  { say: { jsonrpc: "2.0", id: `{{${method.replace(/\W/g, "_")}}}`, result } },
];
const refuses = (method: string, code: number, message: string): readonly Step[] => [
  { hear: { method }, learn: { refused: ["id"] } },
  { say: { jsonrpc: "2.0", id: "{{refused}}", error: { code, message } } },
];

const GREETS = answers("initialize", {
  protocolVersion: 1,
  agentCapabilities: {},
  agentInfo: { name: "scripted", version: "1.0.0" },
  authMethods: [],
});
const OPENS = [...GREETS, ...answers("session/new", { sessionId: SESSION })];
const HEARS: Step = { hear: { method: "session/prompt" }, learn: { turn: ["id"] } };
const update = (kind: string, more: JsonObject): Step => ({
  say: {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: SESSION, update: { sessionUpdate: kind, ...more } },
  },
});
const text = (words: string, kind = "agent_message_chunk") =>
  update(kind, { content: { type: "text", text: words } });
const ends = (stopReason = "end_turn"): Step => ({
  say: { jsonrpc: "2.0", id: "{{turn}}", result: { stopReason } },
});
const LEAVES: Step = { hear: "end" };
const CALL = { toolCallId: "call-1", title: "touch made.txt", kind: "execute", status: "pending" };
const asks: readonly Step[] = [
  update("tool_call", CALL),
  {
    say: {
      jsonrpc: "2.0",
      id: "q-1",
      method: "session/request_permission",
      params: {
        sessionId: SESSION,
        toolCall: CALL,
        options: [
          { optionId: "o-1", name: "Always", kind: "allow_always" },
          { optionId: "o-2", name: "Yes", kind: "allow_once" },
          { optionId: "o-3", name: "No", kind: "reject_once" },
        ],
      },
    },
  },
  { hear: { id: "q-1" } },
  update("tool_call_update", { toolCallId: "call-1", status: "completed" }),
];

/** The client answers this request of the agent exactly once. */
const answersTo =
  (id: string, isRight: (line: JsonObject) => boolean): Check =>
  ({ transcript }) => {
    const found = transcript.flatMap(({ dir, line }) =>
      dir === "in" && isJsonObject(line) && line.id === id && line.method === undefined ? [line] : [],
    );
    const [answer] = found;
    if (answer === undefined) return `${id} is never answered`;
    if (found.length > 1) return `${id} is answered ${found.length} times`;
    return isRight(answer) ? undefined : `${id} gets ${show(answer)}`;
  };
const chooses = (optionId: string) =>
  answersTo("q-1", (line) => at(line, "result", "outcome", "optionId") === optionId);

const talk: readonly HostScenario<ClientTask>[] = [
  {
    name: "prompt",
    about: "a client initializes the agent, opens a session, sends a prompt and prints the reply",
    task: HELLO,
    script: [...OPENS, HEARS, text("hi"), ends(), LEAVES],
    checks: [
      succeeds,
      prints("hi"),
      writes({ method: "initialize", params: { protocolVersion: 1 } }),
      writes({ method: "session/prompt", params: { sessionId: SESSION, prompt: [{ type: "text" }] } }),
    ],
  },
  {
    name: "two-prompts",
    about: "a second prompt goes to the same session after the first turn has ended",
    task: { prompts: ["one", "two"] },
    script: [...OPENS, HEARS, text("first"), ends(), HEARS, text("second"), ends(), LEAVES],
    checks: [succeeds, prints("first", "second")],
  },
  {
    name: "pieces",
    about: "the chunks of a reply form one text, without the thoughts",
    task: HELLO,
    script: [
      ...OPENS,
      HEARS,
      text("Thinking…", "agent_thought_chunk"),
      text("Hel"),
      text("lo \u2028there"),
      ends(),
      LEAVES,
    ],
    checks: [succeeds, prints("Hello \u2028there")],
  },
  {
    name: "everything-shown",
    about: "updates about plans, calls, diffs, commands, modes and usage are accepted",
    task: HELLO,
    script: [
      ...OPENS,
      update("available_commands_update", { availableCommands: [{ name: "init", description: "Begin" }] }),
      HEARS,
      update("current_mode_update", { currentModeId: "ask" }),
      update("plan", { entries: [{ content: "Look", priority: "high", status: "pending" }] }),
      update("tool_call", { ...CALL, kind: "edit", locations: [{ path: "/project/a.txt", line: 3 }] }),
      update("tool_call_update", {
        toolCallId: "call-1",
        status: "completed",
        content: [{ type: "diff", path: "/project/a.txt", oldText: "a", newText: "b" }],
      }),
      update("usage_update", { used: 10, size: 1000 }),
      text("hi"),
      ends(),
      LEAVES,
    ],
    checks: [succeeds, prints("hi")],
  },
  {
    name: "unknown-updates",
    about: "updates, fields and notifications of later versions are tolerated",
    task: HELLO,
    script: [
      ...OPENS,
      HEARS,
      update("totally_new_update", { payload: { deep: [1] } }),
      { say: { jsonrpc: "2.0", method: "_example/news", params: { a: 1 } } },
      update("agent_message_chunk", { content: { type: "text", text: "hi" }, totallyNew: true }),
      ends(),
      LEAVES,
    ],
    checks: [succeeds, prints("hi")],
  },
  {
    name: "long-lines",
    about: "a line of four megabytes is read completely",
    task: HELLO,
    script: [...OPENS, HEARS, text(LONG, "agent_thought_chunk"), text("hi"), ends(), LEAVES],
    checks: [succeeds, prints("hi")],
  },
];

const requests: readonly HostScenario<ClientTask>[] = [
  {
    name: "allow",
    about: "a question is answered with the option of the requested kind, whatever the option's id",
    task: HELLO,
    script: [...OPENS, HEARS, ...asks, text("done"), ends(), LEAVES],
    checks: [succeeds, prints("done"), chooses("o-2")],
  },
  {
    name: "reject",
    about: "a question is answered with a rejection",
    task: { prompts: ["hello"], answer: "reject_once" },
    script: [...OPENS, HEARS, ...asks, text("done"), ends(), LEAVES],
    checks: [succeeds, prints("done"), chooses("o-3")],
  },
  {
    name: "unknown-request",
    about: "an unknown request is refused, and the turn continues",
    task: HELLO,
    script: [
      ...OPENS,
      HEARS,
      { say: { jsonrpc: "2.0", id: "q-1", method: "_example/unknown", params: {} } },
      { hear: { id: "q-1" } },
      text("hi"),
      ends(),
      LEAVES,
    ],
    checks: [succeeds, prints("hi"), answersTo("q-1", (line) => isJsonObject(line.error))],
  },
  {
    name: "cancel",
    about: "the client cancels a turn with a notification and waits for its end",
    task: { prompts: ["hello"], cancelAt: "agent_message_chunk" },
    script: [
      ...OPENS,
      HEARS,
      text("begun"),
      { hear: { method: "session/cancel" } },
      ends("cancelled"),
      LEAVES,
    ],
    checks: [writes({ method: "session/cancel", params: { sessionId: SESSION } })],
  },
];

const endings: readonly HostScenario<ClientTask>[] = [
  {
    name: "failed-turn",
    about: "the client fails if a prompt is answered with an error",
    task: HELLO,
    script: [...OPENS, ...refuses("session/prompt", -32603, "Internal error"), LEAVES],
    checks: [fails],
  },
  {
    name: "login",
    about: "a client without a login fails with an agent that requires one",
    task: HELLO,
    script: [...GREETS, ...refuses("session/new", -32000, "Authentication required"), LEAVES],
    checks: [fails],
  },
  {
    name: "other-version",
    about: "the client stops an agent whose protocol version it does not support, and fails",
    task: HELLO,
    script: [...answers("initialize", { protocolVersion: 60_000, agentCapabilities: {} }), LEAVES],
    checks: [fails],
  },
  {
    name: "death",
    about: "the client fails if the agent is killed during a turn",
    task: HELLO,
    script: [...OPENS, HEARS, text("begun"), { kill: "SIGKILL" }],
    checks: [fails],
  },
  {
    name: "quiet-exit",
    about: "the client fails if the agent exits with 0 during a turn",
    task: HELLO,
    script: [...OPENS, HEARS, { exit: 0 }],
    checks: [fails],
  },
];

/** Every scenario for clients of the Agent Client Protocol, by theme. */
export const ACP_CLIENT_THEMES: readonly HostTheme<ClientTask>[] = [
  { name: "talk", scenarios: talk },
  { name: "requests", scenarios: requests },
  { name: "endings", scenarios: endings },
];

/** Every line of the client conforms to the official schema; the agent's lines are up to the script. */
const fitsSchema: Check = ({ transcript }) => {
  const check = new SchemaCheck();
  const faults = transcript.flatMap(({ dir, line, raw, eof }) => {
    if (eof || (dir === "out" && raw)) return [];
    if (raw || !isJsonObject(line)) return [`a line that is not JSON: ${show(line)}`];
    check.line(dir === "in" ? "client" : "agent", line);
    const found = check.faults.splice(0);
    return dir === "in" ? found : [];
  });
  return faults[0];
};

/** What every client must do in every scenario. */
export const ACP_CLIENT_ALWAYS: readonly Check[] = [...ENDS, writes({ method: "initialize" }), fitsSchema];
