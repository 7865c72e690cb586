import { Disposition, EventSchema, PromptState, SessionStatus } from "@agentwire/api";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { outputOf, put } from "../../src/output.ts";
import { EventPrinter } from "../../src/render/event-printer.ts";
import { styleFor } from "../../src/render/style.ts";

type Body = NonNullable<MessageInitShape<typeof EventSchema>["body"]>;

/** The printed text of these events. */
function printed(bodies: readonly (Body & { parent?: string })[], prompts = false): string {
  let text = "";
  const printer = new EventPrinter({ style: styleFor({}, {}), prompts });
  const paper = outputOf({ write: (more) => (text += more) });
  for (const { parent = "", ...body } of bodies)
    put(
      { said: paper, aside: paper },
      printer.print(create(EventSchema, { body: body as Body, parentToolUseId: parent })),
    );
  return text;
}

const delta = (text: string, index = 0): Body => ({
  case: "textDelta",
  value: { messageId: "m", index, text },
});
const text = (value: string): Body => ({ case: "text", value: { messageId: "m", text: value } });
const start = (id: string, command = "ls"): Body => ({
  case: "toolCallStart",
  value: { toolUseId: id, name: "Bash", inputJson: JSON.stringify({ command }) },
});
const result = (id: string, isError = false): Body => ({
  case: "toolCallResult",
  value: { toolUseId: id, isError, text: "no such file\nmore", durationMs: 1200n },
});

test.each<[string, readonly (Body & { parent?: string })[], string]>([
  ["streamed text is not printed twice", [delta("Hel"), delta("lo"), text("Hello")], "Hello\n"],
  [
    "a retry of the agent is printed with its reason",
    [
      {
        case: "rawMessage",
        value: {
          type: "system",
          subtype: "api_retry",
          json: '{"attempt":2,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error":"overloaded"}',
        },
      },
    ],
    "! The model did not answer (status 529). Trying again in 1 s (2 of 10).\n",
  ],
  ["the missing rest of a text is printed at its end", [delta("Hel"), text("Hello")], "Hello\n"],
  ["a text without deltas is printed whole", [text("Hello")], "Hello\n"],
  ["a text that differs from its deltas is printed again", [delta("Hal"), text("Hello")], "Hal\nHello\n"],
  ["blocks start on new lines", [delta("a"), text("a"), delta("b", 1), text("b")], "a\nb\n"],
  ["a tool call is one line", [start("1"), result("1")], "● Bash ls · 1.2 s\n"],
  [
    "a failed call is printed with its reason",
    [start("1"), result("1", true)],
    "● Bash ls · failed: no such file more\n",
  ],
  [
    "parallel calls keep their names",
    [start("1"), start("2", "pwd"), result("1"), result("2")],
    "● Bash ls\n● Bash pwd\n● Bash ls · 1.2 s\n● Bash pwd · 1.2 s\n",
  ],
  [
    "a subagent's output is indented",
    [
      { ...delta("x"), parent: "t" },
      { ...text("a\nb"), parent: "t" },
    ],
    "  │ a\n  │ b\n",
  ],
  [
    "a decision is printed with its decider and rule",
    [
      {
        case: "permissionDecided",
        value: { disposition: Disposition.ALLOWED, decidedBy: "rule", rule: "Bash(ls:*)" },
      },
    ],
    "  allowed by the rule Bash(ls:*)\n",
  ],
  [
    "a failed turn is printed with its reason",
    [{ case: "turnComplete", value: { isError: true, errors: ["no money"] } }],
    "✗ the turn failed: no money\n",
  ],
  [
    "an interrupt is not printed as a failure",
    [
      {
        case: "turnComplete",
        value: { isError: true, errors: ["aborted"], terminalReason: "aborted_tools" },
      },
    ],
    "  (interrupted)\n",
  ],
  [
    "a failed login is printed once with advice",
    [
      text("Not logged in · Please run /login"),
      {
        case: "error",
        value: { code: "authentication_failed", message: "Not logged in · Please run /login" },
      },
      {
        case: "turnComplete",
        value: { isError: true, errors: [], text: "Not logged in · Please run /login" },
      },
    ],
    "Not logged in · Please run /login\n✗ The agent is not signed in. Run claude in a terminal and type /login, or set ANTHROPIC_API_KEY and restart the daemon (agentwire daemon stop).\n✗ the turn failed\n",
  ],
  [
    "a provider's missing key is named, without advice about other logins",
    [
      text("openai needs a key: set OPENAI_API_KEY, or providers.openai.apiKey in the settings"),
      {
        case: "error",
        value: {
          code: "authentication_failed",
          message: "openai needs a key: set OPENAI_API_KEY, or providers.openai.apiKey in the settings",
        },
      },
      {
        case: "turnComplete",
        value: {
          isError: true,
          errors: [],
          text: "openai needs a key: set OPENAI_API_KEY, or providers.openai.apiKey in the settings",
        },
      },
    ],
    "openai needs a key: set OPENAI_API_KEY, or providers.openai.apiKey in the settings\n✗ the turn failed\n",
  ],
  [
    "a failure in the reply text is not printed again",
    [
      text("API Error: 529"),
      { case: "error", value: { code: "overloaded", message: "API Error: 529" } },
      { case: "turnComplete", value: { isError: true, errors: [], text: "API Error: 529" } },
    ],
    "API Error: 529\n✗ the turn failed\n",
  ],
  [
    "an unanswered prompt is reported",
    [{ case: "promptChange", value: { state: PromptState.CANCELLED } }],
    "✗ the prompt was not answered\n",
  ],
  [
    "an unanswered prompt is reported with its reason",
    [{ case: "promptChange", value: { state: PromptState.CANCELLED, reason: "the agent died" } }],
    "✗ the prompt was not answered: the agent died\n",
  ],
  [
    "becoming idle prints nothing",
    [{ case: "statusChange", value: { status: SessionStatus.IDLE, reason: "done" } }],
    "",
  ],
  ["control characters are escaped", [text("a\x1b[2Jb\u202ec")], "a\\u001b[2Jb\\u202ec\n"],
])("%s", (_, bodies, expected) => {
  expect(printed(bodies)).toBe(expected);
});

test("prompts are printed only for readers who did not type them", () => {
  const prompt: Body = { case: "userInput", value: { text: "hello" } };
  expect([printed([prompt], true), printed([prompt], false)]).toEqual(["› hello\n", ""]);
});
