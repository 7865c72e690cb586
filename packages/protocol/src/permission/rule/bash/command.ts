import type { ShellReading } from "../../../shell/part.ts";
import { MAX_COMMAND_CHARS, readShell } from "../../../shell/read-shell.ts";
import { findSuspects, MAX_ANALYSIS, type Suspect } from "./suspects.ts";

/** A shell command, parsed once for all rules. */
export class BashCommand {
  readonly text: string;
  readonly reading: ShellReading;
  #analysis: Analysis | undefined;

  constructor(text: string) {
    this.text = text;
    this.reading = readShell(text);
  }

  /**
   * Every command that it runs or may run. Only deny and ask rules need this, so it is computed for the first
   * of them.
   */
  get suspects(): readonly Suspect[] {
    return this.#analysed().suspects;
  }

  /** Whether it is too long to be parsed, or to be parsed completely. */
  get isTooLong(): boolean {
    return this.#analysed().isTooLong;
  }

  #analysed(): Analysis {
    this.#analysis ??= analyse(this.text, this.reading);
    return this.#analysis;
  }
}

interface Analysis {
  readonly suspects: readonly Suspect[];
  readonly isTooLong: boolean;
}

function analyse(text: string, reading: ShellReading): Analysis {
  if (text.length > MAX_COMMAND_CHARS) return { isTooLong: true, suspects: [] };
  const effort = { left: MAX_ANALYSIS };
  const suspects = findSuspects(text, reading, effort);
  return { isTooLong: effort.left < 0, suspects };
}
