import type { ShellReading } from "../shell/part.ts";
import { readShell } from "../shell/read-shell.ts";
import { findSuspects, type Suspect } from "./suspects.ts";

/** A shell command, read once for all rules. */
export interface BashCommand {
  readonly text: string;
  readonly reading: ShellReading;
  readonly suspects: readonly Suspect[];
}

/** Reads a shell command for its comparison with rules. */
export function readBashCommand(text: string): BashCommand {
  const reading = readShell(text);
  return { text, reading, suspects: findSuspects(text, reading) };
}
