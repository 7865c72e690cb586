/** A call that our tools deliberately answer differently. */
export interface Difference {
  readonly group: string;
  readonly call: string;
  readonly why: string;
}

/** Every call whose answer differs in more than its wording. */
export const DIFFERENCES: readonly Difference[] = [
  {
    group: "read",
    call: "Read: offset 0",
    why: "lines count from 1: other tools would not find what the model is shown as line 0",
  },
  {
    group: "notebook",
    call: "Read: a long output",
    why: "the beginning of a long output is shown, which mostly is enough",
  },
  {
    group: "notebook",
    call: "Bash: the outputs are gone",
    why: "the source of a cell is stored as its lines, as Jupyter itself does, so that a change is one line of a diff",
  },
  {
    group: "notebook",
    call: "NotebookEdit: a missing notebook",
    why: "that there is none helps more than that it was not read",
  },
  {
    group: "search",
    call: "Grep: a newline without multiline",
    why: "ripgrep says how such a pattern can match; that nothing was found would be taken for an answer",
  },
  {
    group: "command",
    call: "Bash: killed",
    why: "a shell that was killed has the exit code of that signal, not 1",
  },
  {
    group: "command",
    call: "Bash: ended by a signal",
    why: "128 and the number of the signal, as every shell says it",
  },
  {
    group: "command",
    call: "Bash: grep with an error",
    why: "grep is the machine's own",
  },
  {
    group: "command",
    call: "Bash: find with an error",
    why: "find is the machine's own",
  },
  {
    group: "command",
    call: "Bash: set -e",
    why: "the command runs as it would in a shell, where set -e ends it",
  },
  {
    group: "command",
    call: "Bash: a failure with a long output",
    why: "behind as much as the official agent shows stands where the rest is",
  },
  {
    group: "command",
    call: "Bash: a failure with long stderr",
    why: "behind as much as the official agent shows stands where the rest is",
  },
  {
    group: "command",
    call: "Bash: removing the folder it is in",
    why: "the command succeeded; that the agent has no folder to go on in is not its failure",
  },
  {
    group: "other",
    call: "TaskOutput: the output of a task that is none",
    why: "older versions have TaskOutput, and ours keeps it for hosts that were written for them",
  },
  {
    group: "other",
    call: "TaskOutput: no task",
    why: "older versions have TaskOutput, and ours keeps it for hosts that were written for them",
  },
];
