/** One word of a command. */
export interface ShellWord {
  /** As written, quotes included. */
  readonly source: string;
  /** As the command receives it, with `MARK`s for what only the shell knows. */
  readonly text: string;
}

/** A file that the shell opens for a command to read or write. */
export interface Redirect {
  readonly access: "read" | "write";
  readonly target: ShellWord;
}

/** One simple command of a shell text, wherever it is: in a list, a pipe, a loop, a substitution. */
export interface ShellPart {
  readonly source: string;
  /** Leading `NAME=value` words. */
  readonly assignments: readonly ShellWord[];
  /** The command and its arguments; empty for the redirections of a loop or group and for assignments alone. */
  readonly words: readonly ShellWord[];
  /** Excludes redirections that touch no file: `/dev/null` and duplicated descriptors. */
  readonly redirects: readonly Redirect[];
  /** Heredoc bodies and here-strings. */
  readonly input: readonly string[];
  /** Whether the output of another part is its input. */
  readonly piped: boolean;
  /** Whether the shell continues without waiting for it. */
  readonly background: boolean;
}

/** The commands that a shell text runs, or why they can't be determined. */
export type ShellReading =
  | { readonly ok: true; readonly parts: readonly ShellPart[] }
  | { readonly ok: false; readonly reason: string };
