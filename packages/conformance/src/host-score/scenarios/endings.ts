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
      about: "the host closes the agent's stdin after the last result and exits when the agent does",
      task: HELLO,
      script: [...BEGIN, result("hi"), { hear: "end" }, { exit: 0 }],
      checks: [succeeds, prints("hi"), endsWithin(8000)],
    },
    {
      name: "lines-after-the-result",
      about: "lines that the agent writes between the result and its exit do no harm",
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
      about: "the host fails after an error result and the exit code 1 that follows it",
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
      about: "the host fails if the agent exits with an error code in the middle of a turn",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { exit: 3 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "quiet-exit-without-a-result",
      about: "the host fails if the agent exits with 0 but without a result",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { exit: 0 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "exit-before-the-first-line",
      about: "the host fails if the agent exits before it writes anything",
      task: HELLO,
      script: [{ exit: 1 }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "death",
      about: "the host fails if the agent is killed in the middle of a turn",
      task: HELLO,
      script: [...BEGIN, text("I am about to"), { kill: "SIGKILL" }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "half-line-and-death",
      about: "the host ignores an incomplete last line and fails because the agent was killed",
      task: HELLO,
      script: [...BEGIN, { write: '{"type":"result","subtype":"succ' }, { kill: "SIGKILL" }],
      checks: [fails, endsWithin(8000)],
    },
    {
      name: "freeze",
      about: "the host fails if the agent is silent for longer than the given time in the middle of a turn",
      task: { prompts: ["hello"], silenceMs: 1500 },
      script: [...BEGIN, text("I am about to"), { freeze: true }],
      checks: [fails],
    },
    {
      name: "agent-that-stays",
      about: "the host kills an agent that does not exit after its stdin is closed",
      task: { prompts: ["hello"], silenceMs: 1500 },
      script: [...BEGIN, result("hi"), { freeze: true }],
      checks: [prints("hi")],
    },
  ],
};
