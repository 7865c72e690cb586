import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Command, Option } from "../command.ts";
import { OUTPUT_FORMATS } from "../turn/wire-output.ts";

/** Options for starting a session. */
export const SESSION_OPTIONS: readonly Option[] = [
  { name: "cwd", value: "DIR", summary: "the working directory, instead of the current one" },
  { name: "trust", summary: "trusts the folder: its own settings apply from now on" },
  {
    name: "worktree",
    short: "w",
    value: "NAME",
    optional: /^[\w.+/-]+$/,
    summary: "works in a separate git worktree, on the branch worktree-NAME",
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
  details: `Piped input is added to PROMPT. The agent's text goes to stdout; tool calls, questions and the rest appear in between,
or go to stderr if stdout is not a terminal. Questions are asked at the terminal; without one, or when a program
reads the output, they are denied. Ctrl-C interrupts the turn; a second Ctrl-C detaches and leaves it running.
"agentwire -p", "-c" and "-r" are short for "agentwire run" with that option.
Exit: 0 done, 1 the turn failed, 72 the agent was not found, 78 its version is not supported, 130 interrupted.`,
  options: [
    ...SESSION_OPTIONS,
    {
      name: "output-format",
      value: "FORMAT",
      summary: "what to print: the turn as readable text, its result, or its messages as they arrive",
      choices: OUTPUT_FORMATS,
    },
    { name: "print", short: "p", summary: "prints the answer and nothing else" },
    { name: "session", short: "s", value: "ID", summary: "continues this session" },
    { name: "resume", short: "r", value: "ID", summary: "same as --session, as in claude" },
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
