import { endsWithin, fails, prints, succeeds } from "../checks.ts";
import type { HostTheme } from "../host-scenario.ts";
import { BEGIN, line, result, text } from "../lines.ts";

const HELLO = { prompts: ["hello"] };

/** How sessions end, with success or failure. */
export const endings: HostTheme = {
  name: "endings",
  scenarios: [
    {
      name: "stdin-closed",
      about: "after the last result the agent's stdin is closed, and the host ends with the agent",
      task: HELLO,
      script: [...BEGIN, result("hi"), { hear: "end" }, { exit: 0 }],
      checks: [succeeds, prints("hi"), endsWithin(8000)],
    },
    {
      name: "lines-after-the-result",
      about: "what the agent says between result and exit is harmless",
      task: HELLO,
      script: [
        ...BEGIN,
        result("hi"),
        line({ type: "system", subtype: "session_state_changed", state: "idle" }),
        line({ type: "system", subtype: "informational", content: "goodbye", level: "info" }),
        { hear: "end" },
      ],
      checks: [succeeds, prints("hi")],
    },
    {
      name: "failed-turn",
      about: "a result that is an error, and the exit code that goes with it, fail the host",
      task: HELLO,
      script: [
        ...BEGIN,
        result("API Error: 500", { is_error: true, terminal_reason: "api_error", api_error_status: 500 }),
        { hear: "end" },
        { exit: 1 },
      ],
      checks: [fails],
    },
    {
      name: "exit-without-a-result",
      about: "an agent that ends with a code in the middle of a turn is a failure",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { exit: 3 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "quiet-exit-without-a-result",
      about: "an agent that ends with 0 but without a result is a failure all the same",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { exit: 0 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "exit-before-the-first-line",
      about: "an agent that never says anything is a failure",
      task: HELLO,
      script: [{ exit: 1 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "death",
      about: "an agent that is killed in the middle of a turn is a failure",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { kill: "SIGKILL" }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "half-line-and-death",
      about: "half of a line is not a message, and the death behind it is a failure",
      task: HELLO,
      script: [...BEGIN, { write: '{"type":"result","subtype":"succ' }, { kill: "SIGKILL" }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "freeze",
      about: "an agent that falls silent in the middle of a turn is a failure after the time that was set",
      task: { prompts: ["hello"], silenceMs: 1500 },
      script: [...BEGIN, text("I am about to"), { freeze: true }],
      checks: [fails],
    },
    {
      name: "agent-that-stays",
      about: "an agent that does not end when its stdin is closed is ended by the host",
      task: { prompts: ["hello"], silenceMs: 1500 },
      script: [...BEGIN, result("hi"), { freeze: true }],
      checks: [prints("hi")],
    },
  ],
};
