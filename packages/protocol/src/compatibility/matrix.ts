import type { MinorLine, VersionRange } from "./version.ts";

/** The agent versions that one release line of a program was tested with. */
export interface MatrixRow {
  readonly program: string;
  readonly release: MinorLine;
  readonly agent: VersionRange;
  readonly notes: string;
}

/** The program name of this project's own rows in the matrix. */
export const OUR_PROGRAM = "agentwire";

/**
 * The compatibility matrix, oldest row first within each program. BetCode's rows are those of the daemon that
 * first defined the matrix, kept as history: they use that program's version numbers, and no 1.1 agent was
 * ever published.
 */
export const COMPATIBILITY_MATRIX: readonly MatrixRow[] = [
  {
    program: "BetCode",
    release: "0.1.x",
    agent: { min: "1.0.15", max: "1.0.x" },
    notes: "Initial release",
  },
  {
    program: "BetCode",
    release: "0.2.x",
    agent: { min: "1.0.20", max: "1.1.x" },
    notes: "Added `stream_event` support",
  },
  {
    program: "BetCode",
    release: "0.3.x",
    agent: { min: "1.1.0", max: "2.0.x" },
    notes: "Planned",
  },
  {
    program: OUR_PROGRAM,
    release: "0.1.x",
    agent: { min: "1.0.22", max: "2.1.x" },
    notes:
      "Turns and resuming from 1.0.22 on; questions, deltas and interrupts from 1.0.128 on. Run with 1.0.22, 1.0.128, 2.0.77, 2.1.325 and 2.1.328",
  },
];
