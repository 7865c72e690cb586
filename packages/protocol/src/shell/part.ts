/** One word of a command. */
export interface ShellWord {
  /** As written, quotes included. */
  readonly source: string;
  /** As the command receives it, with `MARK`s where only the shell knows. */
  readonly text: string;
}

/** A file that a command reads or writes because the shell opens it. */
export interface Redirect {
  readonly access: "read" | "write";
  readonly target: ShellWord;
}

/** One simple command of a shell text, wherever it stands: in a list, a pipe, a loop, a substitution. */
export interface ShellPart {
  readonly source: string;
  /** Leading `NAME=value` words. */
  readonly assignments: readonly ShellWord[];
  /** The command and its arguments; empty for redirections of a loop or group and for lone assignments. */
  readonly words: readonly ShellWord[];
  /** Without those that touch no file: `/dev/null` and duplicated descriptors. */
  readonly redirects: readonly Redirect[];
  /** Heredoc bodies and here-strings. */
  readonly input: readonly string[];
  /** Whether the output of another part is its input. */
  readonly piped: boolean;
  /** Whether the shell continues without waiting for it. */
  readonly background: boolean;
}

/** What a shell text runs, or why that can't be determined. */
export type ShellReading =
  | { readonly ok: true; readonly parts: readonly ShellPart[] }
  | { readonly ok: false; readonly reason: string };
