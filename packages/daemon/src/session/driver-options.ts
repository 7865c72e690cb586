import type { Boundary } from "../boundary.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RuleBook } from "../permission/rule-book.ts";
import type { Store } from "../store/store.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Meter } from "../usage/meter.ts";
import type { FaultMonitor } from "./fault-monitor.ts";
import type { Gate } from "./gate.ts";
import type { Incidents } from "./incidents.ts";
import type { Journal } from "./journal.ts";
import type { Prompts } from "./prompts.ts";
import type { Runner } from "./runner.ts";
import type { SessionState } from "./state.ts";

/** What a driver needs of its session and of the daemon. */
export interface DriverOptions {
  readonly store: Store;
  readonly state: SessionState;
  readonly journal: Journal;
  readonly prompts: Prompts;
  readonly gate: Gate;
  readonly rules: RuleBook;
  readonly faults: FaultMonitor;
  readonly meter: Meter;
  readonly metrics: Metrics;
  readonly incidents: Incidents;
  readonly guard: Boundary;
  readonly runner: Runner;
  readonly tracing: Tracing;
  /** How long an agent with nothing to do is kept. */
  readonly idleMs: () => number;
  /** The most that is stored of one message. */
  readonly maxPayloadBytes: number;
  /** The process has ended: its questions can no longer be answered. */
  readonly onGone: () => void;
}
