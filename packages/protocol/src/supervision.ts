/**
 * The reports of a shared process to its supervisor, one per line on its stdout. The sessions themselves use
 * separate connections; these lines replace what a process of a single session shows by its stderr and its
 * exit.
 */
export type SupervisedLine =
  /** It accepts connections. */
  | { readonly type: "listening"; readonly path: string }
  /** What a process of this session alone would have written to stderr. */
  | { readonly type: "session_stderr"; readonly name: string; readonly text: string }
  /** A session has ended, together with everything it had started. */
  | { readonly type: "session_ended"; readonly name: string; readonly code: number }
  /** The state of the process, once a second. */
  | {
      readonly type: "load";
      readonly sessions: number;
      readonly rss_bytes: number;
      /** The worst delay of timers in the last second. */
      readonly loop_delay_ms: number;
      /** The approximate memory of its largest session. */
      readonly largest_session_bytes: number;
    };

/** A line on the process's stdin; when stdin ends, so does the process. */
export interface SupervisorLine {
  readonly type: "signal";
  /** The name of the session. */
  readonly name: string;
  readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP";
}
