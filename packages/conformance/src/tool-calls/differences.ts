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
    why: "lines are numbered from 1; other tools could not find a line that the model sees as line 0",
  },
  {
    group: "notebook",
    call: "Read: a long output",
    why: "the beginning of a long output is shown, which is usually enough",
  },
  {
    group: "notebook",
    call: "Bash: the outputs are gone",
    why: "the source of a cell is stored as a list of lines, as Jupyter does, so that a changed line is one line in a diff",
  },
  {
    group: "notebook",
    call: "NotebookEdit: a missing notebook",
    why: "the error says that the notebook does not exist, which helps more than saying that it was not read",
  },
  {
    group: "search",
    call: "Grep: a newline without multiline",
    why: "ripgrep's error explains how such a pattern can match; reporting no matches would be misleading",
  },
  {
    group: "command",
    call: "Bash: killed",
    why: "a killed shell reports the exit code of the signal, not 1",
  },
  {
    group: "command",
    call: "Bash: ended by a signal",
    why: "the exit code is 128 plus the signal number, as in every shell",
  },
  {
    group: "command",
    call: "Bash: grep with an error",
    why: "grep is the program installed on the machine",
  },
  {
    group: "command",
    call: "Bash: find with an error",
    why: "find is the program installed on the machine",
  },
  {
    group: "command",
    call: "Bash: set -e",
    why: "the command runs as it would in a shell, where set -e ends it",
  },
  {
    group: "command",
    call: "Bash: a failure with a long output",
    why: "after as much output as the official agent shows, ours says where the rest is",
  },
  {
    group: "command",
    call: "Bash: a failure with long stderr",
    why: "after as much output as the official agent shows, ours says where the rest is",
  },
  {
    group: "command",
    call: "Bash: removing the folder it is in",
    why: "the command succeeded; it did not fail because its folder is gone",
  },
  {
    group: "other",
    call: "TaskOutput: the output of a task that is none",
    why: "older versions of the official agent have TaskOutput, and ours keeps it for hosts written for them",
  },
  {
    group: "other",
    call: "TaskOutput: no task",
    why: "older versions of the official agent have TaskOutput, and ours keeps it for hosts written for them",
  },
];
