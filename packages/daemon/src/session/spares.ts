import { randomUUID } from "node:crypto";
import type { Boundary } from "../boundary.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Started } from "./runner.ts";

/** How long a spare process is kept: the settings that it read at its start become outdated. */
const SPARE_MS = 5 * 60_000;

interface Spare extends Started {
  readonly kind: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Spare processes, for the kinds of sessions that were requested recently: the same agent in the same folder,
 * with the same model, effort and mode, under the same rules. They give way as soon as a session needs their slot.
 */
export class Spares {
  readonly #limit: () => number;
  readonly #guard: Boundary;
  readonly #rulesOf: (record: SessionRecord) => unknown;
  readonly #start: (record: SessionRecord) => Started | undefined;
  readonly #spares = new Set<Spare>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  /** `rulesOf` returns the rules that a process may be started with; `start` returns undefined if no slot is free. */
  constructor(
    limit: () => number,
    guard: Boundary,
    rulesOf: (record: SessionRecord) => unknown,
    start: (record: SessionRecord) => Started | undefined,
  ) {
    this.#rulesOf = rulesOf;
    this.#limit = limit;
    this.#guard = guard;
    this.#start = start;
  }

  get count(): number {
    return this.#spares.size;
  }

  has(record: SessionRecord): boolean {
    return this.#find(record) !== undefined;
  }

  /** Returns a process that fits, with its slot. Only a session without a conversation can use one. */
  claim(record: SessionRecord): Started | undefined {
    const spare = this.#find(record);
    if (!spare) return undefined;
    this.#spares.delete(spare);
    clearTimeout(spare.timer);
    spare.slot.busy();
    return spare;
  }

  /** Keeps a process ready for a session of this kind; the least recently wanted kind is dropped. */
  prepare(record: SessionRecord): void {
    // A new session id, since the session that it will serve is not known yet.
    const nobody = { ...record, id: randomUUID(), agentSessionId: "", forkedFrom: "", resumeAt: "" };
    const kind = this.#kindOf(nobody);
    if (this.#isClosed || this.#limit() === 0 || this.#of(kind)) return;
    const [oldest] = this.#spares;
    if (oldest && this.#spares.size >= this.#limit()) this.#end(oldest);
    const started = this.#start(nobody);
    if (started) this.#keep(kind, started);
  }

  /** Ends unclaimed processes, for good. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.clear();
  }

  /** Ends unclaimed processes. */
  async clear(): Promise<void> {
    for (const spare of this.#spares) this.#end(spare);
    await Promise.all(this.#ending);
  }

  #keep(kind: string, started: Started): void {
    const timer = setTimeout(
      this.#guard(() => this.#end(spare)),
      SPARE_MS,
    ).unref();
    const spare: Spare = { ...started, kind, timer };
    const leave = this.#guard(() => this.#end(spare));
    this.#spares.add(spare);
    spare.slot.idle(leave);
    // A spare process that exits is not an error.
    spare.run.ready().then((agent) => agent.ended.then(leave), leave);
  }

  #end(spare: Spare): void {
    if (!this.#spares.delete(spare)) return;
    clearTimeout(spare.timer);
    const ending = spare.run.close().finally(() => {
      spare.slot.release();
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
    this.#guard(() => ending)();
  }

  #find(record: SessionRecord): Spare | undefined {
    return record.agentSessionId === "" ? this.#of(this.#kindOf(record)) : undefined;
  }

  #of(kind: string): Spare | undefined {
    return [...this.#spares].find((spare) => spare.kind === kind);
  }

  #kindOf(record: SessionRecord): string {
    const { agent, cwd, model, mode, effort } = record;
    return JSON.stringify([agent, cwd, model, mode, effort, this.#rulesOf(record)]);
  }
}
