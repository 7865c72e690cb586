/** How long an agent may take, in milliseconds; `Infinity` waits forever. */
export interface Deadlines {
  /** From the first line that is sent to the first line that the agent writes; an agent that was sent nothing may stay silent. */
  readonly firstLineMs: number;
  /**
   * Between two lines while a turn runs and no tool, question, hook or MCP call is open. While a tool runs, an agent that has been
   * silent for this long is checked for a response, if its version is known to answer.
   */
  readonly silenceMs: number;
  /** Between two lines while a tool of the turn runs: some are silent for hours, but none forever. */
  readonly toolMs: number;
  /** From a control request to its answer, if the caller gives no deadline. */
  readonly requestMs: number;
  /** From a question of the agent (permission, hook, MCP, dialog) to the host's answer; after that it is denied. */
  readonly answerMs: number;
  /** After a turn: how long background tasks may still need the input before it is ended anyway. */
  readonly backgroundMs: number;
  /** After the input was ended with nothing open: how long the agent may stay silent before it is stopped. */
  readonly exitMs: number;
  /** At close, from the end of its input to TERM. */
  readonly closeMs: number;
  /** At close, from TERM to KILL. */
  readonly terminateMs: number;
}

const MINUTE = 60_000;

/** The default deadlines; docs/decisions/010-host-process.md gives the reasons. */
export const DEFAULT_DEADLINES: Deadlines = {
  firstLineMs: 2 * MINUTE,
  silenceMs: 30 * MINUTE,
  toolMs: 24 * 60 * MINUTE,
  requestMs: MINUTE,
  answerMs: 24 * 60 * MINUTE,
  backgroundMs: 10 * MINUTE,
  exitMs: MINUTE,
  closeMs: 2_000,
  terminateMs: 5_000,
};

/** The deadlines in force: the given ones, and defaults for the rest. */
export function deadlinesOf(given: Partial<Deadlines> = {}): Deadlines {
  const said = Object.entries(given).filter(([, ms]) => ms !== undefined);
  return { ...DEFAULT_DEADLINES, ...Object.fromEntries(said) };
}
