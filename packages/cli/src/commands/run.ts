import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Command, Option } from "../command.ts";
import { OUTPUT_FORMATS } from "../turn/wire-output.ts";

/** What a new session may be given. */
export const SESSION_OPTIONS: readonly Option[] = [
  { name: "cwd", value: "DIR", summary: "the working directory, instead of the current one" },
  { name: "trust", summary: "trusts the folder: its own settings apply, now and later" },
  {
    name: "worktree",
    short: "w",
    value: "NAME",
    optional: /^[\w.+/-]+$/,
    summary: "works in a git worktree of its own, on the branch worktree-NAME",
  },
  { name: "agent", value: "NAME", summary: "the agent, by its name in settings.json or doctor" },
  { name: "model", value: "NAME", summary: "the model" },
  { name: "mode", value: "MODE", summary: "the permission mode", choices: PERMISSION_MODES },
];

export const RUN: Command = {
  name: "run",
  summary: "sends a prompt and shows the turn as it happens",
  args: "[PROMPT…]",
  count: [0, Number.POSITIVE_INFINITY],
  details: `What is piped in is added to PROMPT. The agent's text goes to stdout; tool calls, questions and the rest are shown
between it, or go to stderr if stdout is not a terminal. Questions are asked at the terminal; without one, or where a
program reads the output, they are denied. Ctrl-C interrupts the turn; a second Ctrl-C detaches and leaves it running.
"agentwire -p", "-c" and "-r" are short for "agentwire run" with that option.
Exit: 0 done, 1 the turn failed, 72 the agent was not found, 78 its version is not supported, 130 interrupted.`,
  options: [
    ...SESSION_OPTIONS,
    {
      name: "output-format",
      value: "FORMAT",
      summary: "what is printed: the turn as people read it, its result, or its messages as they come",
      choices: OUTPUT_FORMATS,
    },
    { name: "print", short: "p", summary: "prints the answer and nothing else" },
    { name: "session", short: "s", value: "ID", summary: "continues this session" },
    { name: "resume", short: "r", value: "ID", summary: "the same, as claude calls it" },
    { name: "continue", short: "c", summary: "continues the latest session of the folder" },
  ],
  examples: [
    'agentwire run "list the files here"',
    'agentwire run --continue "and the hidden ones?"',
    'agentwire run --worktree fix-login "fix the login test"',
    'git diff | agentwire run -p "review this" > review.md',
    'agentwire -p --output-format json "hello" | jq -r .result',
    'agentwire run --json "hello" | jq -r ".textDelta.text // empty"',
  ],
  run: async (call) => (await import("../turn/run-prompt.ts")).runPrompt(call),
};
