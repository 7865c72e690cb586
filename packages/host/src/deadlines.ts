/** How long an agent may take, in milliseconds; `Infinity` waits for ever. */
export interface Deadlines {
  /** From the first thing that was asked until the first line; an agent that was asked nothing may stay silent. */
  readonly firstLineMs: number;
  /**
   * Between two lines while a turn runs and no tool, question, hook or MCP call is open. While a tool is, an agent that was silent
   * for so long is asked whether it is there, where its version is known to answer.
   */
  readonly silenceMs: number;
  /** Between two lines while a tool of the turn runs: some take hours without a word, but none for ever. */
  readonly toolMs: number;
  /** From a control request to its answer, where the caller gives no time of its own. */
  readonly requestMs: number;
  /** From a question of the agent (permission, hook, MCP, dialog) to the host's answer; then it is denied. */
  readonly answerMs: number;
  /** After a turn: how long its background tasks may still need the input before it is ended all the same. */
  readonly backgroundMs: number;
  /** After its input was ended with nothing open: how long it may stay silent before it is stopped. */
  readonly exitMs: number;
  /** At close, from the end of its input to TERM. */
  readonly closeMs: number;
  /** At close, from TERM to KILL. */
  readonly terminateMs: number;
}

const MINUTE = 60_000;

/** The default deadlines; docs/decisions/012-host-process.md gives the reasons. */
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

/** The deadlines in force: those that were given, the defaults for the rest. */
export function deadlinesOf(given: Partial<Deadlines> = {}): Deadlines {
  const said = Object.entries(given).filter(([, ms]) => ms !== undefined);
  return { ...DEFAULT_DEADLINES, ...Object.fromEntries(said) };
}
