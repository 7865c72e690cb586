import type { ShellReading } from "../../../shell/part.ts";
import { MAX_COMMAND_CHARS, readShell } from "../../../shell/read-shell.ts";
import { findSuspects, MAX_ANALYSIS, type Suspect } from "./suspects.ts";

/** A shell command, read once for all rules. */
export interface BashCommand {
  readonly text: string;
  readonly reading: ShellReading;
  readonly suspects: readonly Suspect[];
  /** Whether it is too long to be read, or to be read whole. */
  readonly isTooLong: boolean;
}

/** Reads a shell command for its comparison with rules. */
export function readBashCommand(text: string): BashCommand {
  const reading = readShell(text);
  if (text.length > MAX_COMMAND_CHARS) return { text, reading, isTooLong: true, suspects: [] };
  const effort = { left: MAX_ANALYSIS };
  const suspects = findSuspects(text, reading, effort);
  return { text, reading, isTooLong: effort.left < 0, suspects };
}
