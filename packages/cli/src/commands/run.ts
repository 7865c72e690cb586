import type { Command } from "../command.ts";
import { SESSION_OPTIONS } from "./session-options.ts";

export const RUN: Command = {
  name: "run",
  summary: "sends a prompt and shows the turn as it happens",
  args: "[PROMPT…]",
  count: [0, Number.POSITIVE_INFINITY],
  details: `Without PROMPT, reads it from stdin. The agent's text goes to stdout; tool calls, questions and the rest are shown
between it, or go to stderr if stdout is not a terminal. Questions are asked at the terminal; without one, or with
--json, they are denied. Ctrl-C interrupts the turn; a second Ctrl-C detaches and leaves it running.
Exit: 0 done, 1 the turn failed, 72 the agent was not found, 78 its version is not supported, 130 interrupted.`,
  options: [
    ...SESSION_OPTIONS,
    { name: "session", short: "s", value: "ID", summary: "continues this session" },
    { name: "continue", short: "c", summary: "continues the latest session of the folder" },
  ],
  examples: [
    'agentwire run "list the files here"',
    'agentwire run --continue "and the hidden ones?"',
    'agentwire run --worktree fix-login "fix the login test"',
    "git diff | agentwire run --agent claude --mode plan",
    'agentwire run --json "hello" | jq -r ".textDelta.text // empty"',
  ],
  run: async (call) => (await import("../turn/run-prompt.ts")).runPrompt(call),
};
