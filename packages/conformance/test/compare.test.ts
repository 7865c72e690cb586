import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { compare, type Difference } from "../src/compare/compare.ts";
import { reduce } from "../src/compare/reduce.ts";
import { RECORDINGS, readRecording } from "../src/recording.ts";
import type { Transcript, TranscriptLine } from "../src/transcript.ts";
import { changed, edit, eventOf, is, isDelta, type Line, set, without } from "./edit-transcript.ts";

const names = readdirSync(RECORDINGS).map((file) => basename(file, ".jsonl"));

const differences = (expected: Transcript, actual: Transcript) => compare(reduce(expected), reduce(actual));

describe("a transcript", () => {
  test.each(names)("of %s does not differ from itself", async (name) => {
    const recording = await readRecording(name);
    expect(differences(recording, recording)).toEqual([]);
  });
});

type Case = readonly [what: string, recording: string, change: (lines: Line[]) => Line[], text: RegExp];

const HARD: readonly Case[] = [
  ["a missing init", "simple-text", without(is("system", "init")), /system\/init is missing/],
  [
    "an init without tools",
    "simple-text",
    edit(is("system", "init"), set("tools")(undefined)),
    /type of tools/,
  ],
  [
    "another mode",
    "simple-text",
    edit(is("system", "init"), set("permissionMode")("plan")),
    /permissionMode is "plan"/,
  ],
  ["a missing assistant line", "simple-text", without(is("assistant")), /assistant: text is missing/],
  [
    "another text from the model",
    "simple-text",
    edit(is("assistant"), set("message", "content", 0, "text")("Bye.")),
    /text is "Bye."/,
  ],
  [
    "another signature",
    "thinking-plain",
    edit(is("assistant"), set("message", "content", 0, "signature")("x")),
    /signature is "x"/,
  ],
  [
    "a session id that changes",
    "two-turns",
    edit(is("assistant"), set("session_id")("other")),
    /session is "session-2"/,
  ],
  [
    "blocks of one message with two ids",
    "thinking-plain",
    edit(is("assistant"), set("message", "id")("other")),
    /message is "message-2", not "message-1"/,
  ],
  [
    "a second result",
    "simple-text",
    (lines) => [...lines, ...lines.filter(is("result"))],
    /result is unexpected/,
  ],
  [
    "another number of turns",
    "simple-text",
    edit(is("result"), set("num_turns")(9)),
    /num_turns is 9, not 1/,
  ],
  [
    "another subtype of a result",
    "simple-text",
    edit(is("result"), set("subtype")("error_max_turns")),
    /subtype is/,
  ],
  [
    "another text in the result",
    "simple-text",
    edit(is("result"), set("result")("Bye.")),
    /result is "Bye."/,
  ],
  [
    "a result without a cost",
    "simple-text",
    edit(is("result"), (line) => void delete line.total_cost_usd),
    /has_total_cost_usd is false/,
  ],
  [
    "a denial that is not listed",
    "bash-permission-deny",
    edit(is("result"), set("permission_denials")([])),
    /denials is \[\]/,
  ],
  [
    "an error result without is_error",
    "tool-error",
    edit(is("user"), set("message", "content", 0, "is_error")(false)),
    /is_error is false, not true/,
  ],
  [
    "a question that is not asked",
    "bash-permission-allow",
    without(is("control_request")),
    /can_use_tool Bash is missing/,
  ],
  [
    "a question about another input",
    "bash-permission-allow",
    edit(is("control_request"), set("request", "input", "command")("rm")),
    /input.command is "rm"/,
  ],
  [
    "a question about another call",
    "bash-permission-allow",
    edit(is("control_request"), set("request", "tool_use_id")("toolu_x")),
    /after_its_call is false|tool is "toolu_x"/,
  ],
  [
    "an error instead of a success",
    "set-model",
    edit(is("control_response"), set("response", "subtype")("error")),
    /subtype is "error", not "success"/,
  ],
  [
    "another error code",
    "unknown-control-subtype",
    edit(is("control_response"), set("response", "error_code")("other")),
    /error_code is "other"/,
  ],
  [
    "an answer without its keys",
    "interrupt-with-queued",
    edit(is("control_response"), set("response", "response")({})),
    /keys is \[\]/,
  ],
  ["a missing retry message", "api-500", without(is("system", "api_retry")), /system\/api_retry is missing/],
  [
    "a missing interrupt marker",
    "interrupt-mid-stream",
    without(is("user")),
    /interrupted by user\S* is missing/,
  ],
  [
    "a missing piece of a stream",
    "partial-messages",
    without((line) => isDelta(line)),
    /text_delta: text is/,
  ],
  [
    "another stop reason of a stream",
    "partial-messages",
    edit(
      (line) => eventOf(line).type === "message_delta",
      set("event", "delta", "stop_reason")("max_tokens"),
    ),
    /stop_reason is "max_tokens"/,
  ],
  [
    "a replay under another uuid",
    "replay-user-messages",
    edit(is("user"), set("uuid")("x")),
    /uuid is "other"/,
  ],
  [
    "a result that does not repeat the agent's message",
    "no-api-key",
    edit(is("result"), set("result")("?")),
    /result_is_last_text is false/,
  ],
  ["lines in another order", "two-turns", (lines) => lines.toReversed(), /is missing/],
];

describe("a hard difference", () => {
  test.each(HARD)("is %s (%s)", async (_, name, change, text) => {
    const recording = await readRecording(name);
    const found = differences(recording, changed(recording, change));
    expect(hardTexts(found).join("\n")).toMatch(text);
  });

  test("is a line that is not JSON", async () => {
    const recording = await readRecording("simple-text");
    const noise: TranscriptLine = { t: 0, dir: "out", raw: true, line: "debug: hello" };
    expect(hardTexts(differences(recording, [...recording, noise]))[0]).toMatch(
      /^not a message is unexpected/,
    );
  });

  test("is an unescaped line separator", async () => {
    const recording = await readRecording("simple-text");
    const marked = recording.map((line) =>
      line.dir === "out" ? { ...line, unescaped: true as const } : line,
    );
    expect(hardTexts(differences(recording, marked))[0]).toMatch(/unescaped U\+2028/);
  });
});

const sayElsewise = (lines: Line[]) =>
  edit(
    is("result"),
    set("result")("?"),
  )(edit(is("assistant"), set("message", "content", 0, "text")("?"))(lines));

const SOFT: readonly Case[] = [
  [
    "the wording of a tool result",
    "tool-error",
    edit(is("user"), set("message", "content", 0, "content")("no")),
    /content is/,
  ],
  [
    "an unknown line",
    "simple-text",
    (lines) => [...lines, { type: "news" }],
    /line of type news came 1 times, not 0/,
  ],
  [
    "a notice",
    "simple-text",
    (lines) => [...lines, { type: "system", subtype: "informational" }],
    /informational/,
  ],
  [
    "more keys in an answer",
    "interrupt-with-queued",
    edit(is("control_response"), set("response", "response", "more")(1)),
    /keys is/,
  ],
  ["the agent's own message, if the result repeats it", "no-api-key", sayElsewise, /text is "\?"/],
];

describe("a soft difference", () => {
  test.each(SOFT)("is %s (%s)", async (_, name, change, text) => {
    const recording = await readRecording(name);
    const found = differences(recording, changed(recording, change));
    expect(hardTexts(found)).toEqual([]);
    expect(found.map((difference) => difference.text).join("\n")).toMatch(text);
  });
});

test("a difference names the lines that it concerns", async () => {
  const recording = await readRecording("simple-text");
  const [found] = differences(
    recording,
    recording.map((entry) => {
      const line = entry.line as Line | null;
      return line?.type === "result" ? { ...entry, line: { ...line, num_turns: 9 } } : entry;
    }),
  );
  const at = recording.findIndex(({ line }) => (line as Line | null)?.type === "result") + 1;
  expect(found?.lines).toEqual({ expected: at, actual: at });
});

function hardTexts(found: readonly Difference[]): readonly string[] {
  return found.filter(({ severity }) => severity === "hard").map(({ text }) => text);
}
