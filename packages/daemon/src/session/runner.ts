import type { Boundary } from "../boundary.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Launched } from "./agent-run.ts";
import { AgentRun, type Deciders } from "./agent-run.ts";
import type { Slot, Slots } from "./slots.ts";
import { Spares } from "./spares.ts";

/** What a runner needs. */
export interface RunnerOptions {
  readonly slots: Slots;
  readonly metrics: Metrics;
  readonly guard: Boundary;
  /** The rules that a process may be started with. */
  readonly rulesOf: (record: SessionRecord) => unknown;
  readonly launch: (record: SessionRecord, deciders: Deciders) => Promise<Launched>;
  /** A process runs; the returned function is called when it has ended. */
  readonly onGroup: (group: number) => () => void;
  /** Whether a session needs something that no process started ahead has. */
  readonly isSpecial: (record: SessionRecord) => boolean;
  /** How many processes are started ahead. */
  readonly spareProcesses: () => number;
}

type Environment = Readonly<Record<string, string>>;

/** A process with the slot that it runs in. */
export interface Started {
  readonly run: AgentRun;
  readonly slot: Slot;
  /** What it was started with, once that is known. */
  readonly launched: Promise<Launched>;
}

/** With fewer slots than this, no process is started ahead. */
const ENOUGH_PLACES = 4;

/** How long after one process the next spare one is started. */
const NEXT_SPARE_MS = 2000;

/** Gets processes for sessions: one that was started ahead where there is one that fits, else a new one. */
export class Runner {
  readonly slots: Slots;
  readonly #options: RunnerOptions;
  readonly #spares: Spares;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.slots = options.slots;
    const limit = () => (options.slots.limit >= ENOUGH_PLACES ? options.spareProcesses() : 0);
    this.#spares = new Spares(limit, options.guard, options.rulesOf, (record) => {
      const slot = this.slots.tryTake();
      return slot && this.#start(record, slot);
    });
  }

  /** How many processes wait for a session. */
  get warm(): number {
    return this.#spares.count;
  }

  /** Whether a session would have to wait for a process. */
  mustWait(record: SessionRecord): boolean {
    return !this.slots.isFree && (this.#options.isSpecial(record) || !this.#spares.has(record));
  }

  /**
   * A process for a session, once a slot is free; rejects if the signal fires first. One that needs something from
   * its environment can't have been started ahead.
   */
  async run(record: SessionRecord, env: Environment, signal: AbortSignal): Promise<Started> {
    if (Object.keys(env).length > 0 || this.#options.isSpecial(record))
      return this.#start(record, await this.slots.take(signal), env);
    const started = this.#spares.claim(record) ?? this.#start(record, await this.slots.take(signal));
    // Not immediately: the process that is needed now should not compete with it.
    const prepare = this.#options.guard(() => this.#spares.prepare(record));
    setTimeout(prepare, NEXT_SPARE_MS).unref();
    return started;
  }

  /** A session like this one is likely to want a process soon. */
  expect(record: SessionRecord): void {
    this.#spares.prepare(record);
  }

  /** Ends spare processes: one that is started now would know more. */
  forgetSpares(): Promise<void> {
    return this.#spares.clear();
  }

  /** Ends unclaimed processes. */
  close(): Promise<void> {
    return this.#spares.close();
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
