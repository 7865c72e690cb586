import type { Boundary } from "../boundary.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Launched } from "./agent-run.ts";
import { AgentRun, type Deciders } from "./agent-run.ts";
import type { Slot, Slots } from "./slots.ts";
import { Spares } from "./spares.ts";

/** The dependencies of a runner. */
export interface RunnerOptions {
  readonly slots: Slots;
  readonly metrics: Metrics;
  readonly guard: Boundary;
  /** The rules that a process may be started with. */
  readonly rulesOf: (record: SessionRecord) => unknown;
  readonly launch: (record: SessionRecord, deciders: Deciders) => Promise<Launched>;
  /** A process runs; the returned function is called when it has ended. */
  readonly onGroup: (group: number) => () => void;
  /** Whether a session needs something that no spare process has. */
  readonly isSpecial: (record: SessionRecord) => boolean;
  /** How many spare processes to keep. */
  readonly spareProcesses: () => number;
}

type Environment = Readonly<Record<string, string>>;

/** A process with the slot that it runs in. */
export interface Started {
  readonly run: AgentRun;
  readonly slot: Slot;
  /** How it was started, once that is known. */
  readonly launched: Promise<Launched>;
}

/** With fewer slots than this, there are no spare processes. */
const ENOUGH_PLACES = 4;

/** How long after one process the next spare one is started. */
const NEXT_SPARE_MS = 2000;

/** Gets processes for sessions: a spare one if one fits, otherwise a new one. */
export class Runner {
  readonly slots: Slots;
  readonly #options: RunnerOptions;
  readonly #spares: Spares;
  /** The processes of new sessions whose first prompt is still being stored, by session id. */
  readonly #early = new Map<string, Started>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.slots = options.slots;
    const limit = () => (options.slots.limit >= ENOUGH_PLACES ? options.spareProcesses() : 0);
    this.#spares = new Spares(limit, options.guard, options.rulesOf, (record) => {
      const slot = this.slots.tryTake();
      return slot && this.#start(record, slot);
    });
  }

  /** How many spare processes there are. */
  get warm(): number {
    return this.#spares.count;
  }

  /** Whether a session would have to wait for a process. */
  mustWait(record: SessionRecord): boolean {
    if (this.slots.isFree || this.#early.has(record.id)) return false;
    return this.#options.isSpecial(record) || !this.#spares.has(record);
  }

  /**
   * A process for a session, once a slot is free; rejects if the signal fires first. A session that needs something from
   * its environment can't use a spare process.
   */
  async run(record: SessionRecord, env: Environment, signal: AbortSignal): Promise<Started> {
    if (Object.keys(env).length > 0 || this.#options.isSpecial(record)) {
      await this.#endEarly(record.id);
      return this.#start(record, await this.slots.take(signal), env);
    }
    const early = this.#early.get(record.id);
    this.#early.delete(record.id);
    const started = early ?? this.#spares.claim(record) ?? this.#start(record, await this.slots.take(signal));
    // Not immediately, so that it does not compete with the process that is needed now.
    const prepare = this.#options.guard(() => this.#spares.prepare(record));
    setTimeout(prepare, NEXT_SPARE_MS).unref();
    return started;
  }

  /** A session like this one is likely to want a process soon. */
  expect(record: SessionRecord): void {
    this.#spares.prepare(record);
  }

  /**
   * Starts the process of a new session while its first prompt is being stored, unless a spare one fits or no slot is free. The returned
   * function ends it if the session has not taken it by then.
   */
  startEarly(record: SessionRecord): () => void {
    const { isSpecial, guard } = this.#options;
    if (isSpecial(record) || this.#spares.has(record)) return () => {};
    const slot = this.slots.tryTake();
    if (!slot) return () => {};
    this.#early.set(record.id, this.#start(record, slot));
    return guard(() => this.#endEarly(record.id));
  }

  /** Ends spare processes: one that is started now would have newer information. */
  forgetSpares(): Promise<void> {
    return this.#spares.clear();
  }

  /** Ends unclaimed processes. */
  async close(): Promise<void> {
    await Promise.all([this.#spares.close(), ...[...this.#early.keys()].map((id) => this.#endEarly(id))]);
  }

  async #endEarly(id: string): Promise<void> {
    const early = this.#early.get(id);
    if (!early) return;
    this.#early.delete(id);
    await early.run.close();
    early.slot.release();
  }

  #start(record: SessionRecord, slot: Slot, env: Environment = {}): Started {
    const { launch, metrics, onGroup } = this.#options;
    let found = (_: Launched) => {};
    const launched = new Promise<Launched>((resolve) => {
      found = resolve;
    });
    let ended = () => {};
    const run = new AgentRun(
      async (deciders) => {
        const what = await launch(record, deciders);
        ended = what.ended ?? ended;
        found(what);
        return { ...what.options, env: { ...what.options.env, ...env } };
      },
      {
        onGroup: (group) => {
          const gone = onGroup(group);
          return () => {
            gone();
            ended();
          };
        },
        onLine: (chars) => {
          metrics.linesIn.add(1);
          metrics.charsIn.add(chars);
        },
      },
    );
    return { run, slot, launched };
  }
}
