import type { Log } from "@agentwire/protocol/support";
import type { Metrics } from "../metrics/metrics.ts";
import type { RunEnding } from "./agent-run.ts";
import type { Crash } from "./crash.ts";

/** What goes wrong with one session: each incident is a line of the daemon's log that names the session, and is counted. */
export class Incidents {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #who: { readonly session_id: string; readonly agent: string };

  constructor(log: Log, metrics: Metrics, session: { readonly id: string; readonly agent: string }) {
    this.#log = log;
    this.#metrics = metrics;
    this.#who = { session_id: session.id, agent: session.agent };
  }

  /** A process has died; `count` is how many have in a row. */
  crashed(
    error: Error,
    { exitCode, exitSignal, neverCameUp }: RunEnding,
    { code, next }: Crash,
    count: number,
  ): void {
    this.#metrics.restarts.add(1);
    this.#log.warn(neverCameUp ? "an agent failed to start" : "an agent died", {
      ...this.#who,
      code,
      reason: error.message,
      exit_code: exitCode,
      exit_signal: exitSignal,
      ...("delayMs" in next && { restart_in_ms: next.delayMs }),
      count,
    });
  }

  /** The session has stopped and needs a new prompt. */
  failed(reason: string): void {
    this.#metrics.failures.add(1);
    this.#log.error("a session has failed", { ...this.#who, reason });
  }

  /** The stream of a client was ended because it read nothing. */
  evicted(client: string): void {
    this.#metrics.evicted.add(1);
    this.#log.warn("a client that read nothing was evicted", { ...this.#who, client });
  }
}
