/**
 * What a process that runs many sessions tells the program that started it, a line each on its stdout. The sessions themselves talk on
 * connections of their own; this is what a process of one session shows by its stderr and its exit.
 */
export type SupervisedLine =
  /** It takes connections. */
  | { readonly type: "listening"; readonly path: string }
  /** What a process of the session's own would have written to stderr. */
  | { readonly type: "session_stderr"; readonly name: string; readonly text: string }
  /** A session is over, with everything that it had started. */
  | { readonly type: "session_ended"; readonly name: string; readonly code: number }
  /** How the process is, once a second. */
  | {
      readonly type: "load";
      readonly sessions: number;
      readonly rss_bytes: number;
      /** How late timers were in the last second, at worst. */
      readonly loop_delay_ms: number;
      /** What the largest of its sessions holds in memory, about. */
      readonly largest_session_bytes: number;
    };

/** What it is told on its stdin; the end of that is the end of the process. */
export interface SupervisorLine {
  readonly type: "signal";
  /** The session that is meant. */
  readonly name: string;
  readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP";
}
