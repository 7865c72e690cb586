import { prints, succeeds, writes } from "../checks.ts";
import type { HostTheme } from "../host-scenario.ts";
import { BEGIN, line, result, text } from "../lines.ts";

const HELLO = { prompts: ["hello"] };
const LONG = "x".repeat(4_000_000);

/** Prompts and results, and everything an agent may send in between. */
export const talk: HostTheme = {
  name: "talk",
  scenarios: [
    {
      name: "prompt",
      about: "a prompt is sent as a user line with role and content, and its result is printed",
      task: HELLO,
      script: [...BEGIN, text("hi"), result("hi"), { hear: "end" }],
      checks: [succeeds, prints("hi"), writes({ type: "user", message: { role: "user" } })],
    },
    {
      name: "handshake",
      about: "the host sends initialize, whether or not it waits for the answer",
      task: HELLO,
      script: [...BEGIN, text("hi"), result("hi"), { hear: "end" }],
      checks: [succeeds, writes({ type: "control_request", request: { subtype: "initialize" } })],
    },
    {
      name: "two-prompts",
      about: "a second prompt is sent to the same process after the first result",
      task: { prompts: ["one", "two"] },
      script: [...BEGIN, result("first"), ...BEGIN, result("second"), { hear: "end" }],
      checks: [succeeds, prints("first", "second")],
    },
    {
      name: "unknown-messages",
      about: "unknown types, subtypes, blocks and fields are tolerated",
      task: HELLO,
      script: [
        ...BEGIN,
        line({ type: "totally_new_type", payload: 1 }),
        line({ type: "system", subtype: "totally_new_subtype", payload: { deep: [1] } }),
        text("", { type: "totally_new_block", data: 1 }),
        result("hi", { totally_new_field: true }),
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "keep-alive",
      about: "keep_alive lines are not shown to the user and not answered",
      task: HELLO,
      script: [
        { say: { type: "keep_alive" } },
        ...BEGIN,
        ...Array.from({ length: 50 }, () => ({ say: { type: "keep_alive" } })),
        result("hi"),
        { say: { type: "keep_alive" } },
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "long-lines",
      about: "a line of four megabytes is read completely",
      task: HELLO,
      script: [...BEGIN, text(LONG), result("hi"), { hear: "end" }],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "separators-in-texts",
      about: "U+2028, U+2029 and U+0085 inside a line do not end it",
      task: HELLO,
      script: [...BEGIN, text("a\u2028b\u2029c\u0085d"), result("a\u2028b"), { hear: "end" }],
      checks: [succeeds, prints("a\u2028b")],
    },
    {
      name: "blank-lines",
      about: "empty lines and CRLF line endings are tolerated",
      task: HELLO,
      script: [
        ...BEGIN,
        { write: "\n\r\n" },
        { write: '{"type":"keep_alive"}\r\n' },
        result("hi"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "noise",
      about: "a line that is not JSON does not end the session",
      task: HELLO,
      script: [
        ...BEGIN,
        { write: "(node:1) Warning: something is deprecated\n" },
        result("hi"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "line-in-pieces",
      about: "a line that arrives in pieces is read as one line",
      task: HELLO,
      script: [
        ...BEGIN,
        { write: '{"type":"keep' },
        { pause: 100 },
        { write: '_alive"}' },
        { pause: 100 },
        { write: "\n" },
        result("hi"),
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
  ],
};
