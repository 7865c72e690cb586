import { Disposition } from "@agentwire/api";
import type { Amount } from "../store/amount.ts";
import { TOKEN_KINDS } from "../store/amount.ts";
import { Counter, Histogram, type Instrument } from "./instruments.ts";

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const HUMAN = [1, 5, 15, 30, 60, 300, 1800, 3600, 21_600, 86_400, 604_800];

/** Everything that a daemon counts while it works; `Reading`s cover values that can be looked up when scraped. */
export class Metrics {
  readonly linesIn = new Counter("agentwire_agent_lines_total", "Messages written by agents.");
  readonly charsIn = new Counter("agentwire_agent_chars_total", "Characters in messages written by agents.");
  readonly events = new Counter("agentwire_events_total", "Events stored and sent.");
  readonly eventBytes = new Counter(
    "agentwire_event_bytes_total",
    "Encoded bytes of events stored and sent.",
  );
  readonly starts = new Counter("agentwire_agent_starts_total", "Agent processes given to sessions.");
  readonly restarts = new Counter("agentwire_agent_crashes_total", "Agent processes that crashed.");
  readonly failures = new Counter("agentwire_sessions_failed_total", "Sessions that failed.");
  readonly prompts = new Counter("agentwire_prompts_total", "Prompts accepted.");
  readonly turns = new Counter("agentwire_turns_total", "Turns ended.", "outcome");
  readonly cost = new Counter("agentwire_cost_usd_total", "Cost of turns, where known.");
  readonly tokens = new Counter("agentwire_tokens_total", "Tokens used by turns.", "kind");
  readonly slow = new Counter(
    "agentwire_clients_slow_total",
    "Times a slow client was switched to reading from the log.",
  );
  readonly evicted = new Counter("agentwire_clients_evicted_total", "Streams ended by the daemon.");
  readonly bugs = new Counter(
    "agentwire_unexpected_failures_total",
    "Failures of the daemon itself.",
    "place",
  );
  readonly commits = new Histogram(
    "agentwire_store_commit_seconds",
    "Duration of store commits, each shared by all writes in it.",
    FAST,
  );
  readonly questionWait = new Histogram(
    "agentwire_question_wait_seconds",
    "Time that questions were open.",
    HUMAN,
  );
  readonly rpcs = new Histogram(
    "agentwire_rpc_seconds",
    "Duration of requests; of streams, until they ended.",
    FAST,
    "method",
    "code",
  );
  readonly #decisions = new Counter(
    "agentwire_permission_decisions_total",
    "Questions ended, by disposition and by what decided them.",
    "disposition",
    "decider",
  );

  /** Counts a question that has ended; `by` is the decider as events name it. */
  decided(disposition: Disposition, by: string): void {
    this.#decisions.add(1, Disposition[disposition].toLowerCase(), deciderOf(disposition, by));
  }

  /** Counts a turn that has ended. */
  turn(outcome: "done" | "failed", amount: Amount): void {
    this.turns.add(1, outcome);
    this.cost.add(amount.costUsd ?? 0);
    for (const kind of TOKEN_KINDS) this.tokens.add(amount[kind], kind);
  }

  get instruments(): readonly Instrument[] {
    return [
      this.linesIn,
      this.charsIn,
      this.events,
      this.eventBytes,
      this.starts,
      this.restarts,
      this.bugs,
      this.prompts,
      this.turns,
      this.cost,
      this.tokens,
      this.slow,
      this.evicted,
      this.failures,
      this.commits,
      this.questionWait,
      this.rpcs,
      this.#decisions,
    ];
  }
}

/** Client names can't be labels, since there may be any number of them. */
function deciderOf(disposition: Disposition, by: string): string {
  if (by === "rule") return "rule";
  if (disposition === Disposition.TIMED_OUT) return "time_limit";
  return disposition === Disposition.ALLOWED || disposition === Disposition.DENIED ? "client" : "agent";
}
