/** Parses a shell command into its parts. */

export { literalValue, MARK, withoutMarks } from "../shell/marks.ts";
export type { Redirect, ShellPart, ShellReading, ShellWord } from "../shell/part.ts";
export { printsOnly } from "../shell/printf.ts";
export { readShell } from "../shell/read-shell.ts";
