import { errorMessage } from "@agentwire/protocol/support";
import { withGrace } from "../abort.ts";
import type { Notice } from "../host/outlet.ts";
import type { Database } from "../store/sqlite/database.ts";
import type { Services } from "../turn/conversation.ts";
import { consolidate } from "./consolidate.ts";
import type { MemoryEntries } from "./entries.ts";
import { type Consolidated, setMarks } from "./marks.ts";
import { MaterialCount, waitingMaterial } from "./material.ts";

/** The session that a consolidation runs for and is charged to. */
export interface ConsolidationHost {
  readonly services: Pick<Services, "config" | "model" | "models" | "costs">;
  tell(notice: Notice): void;
  /** False once the session's budget is spent. */
  mayContinue(): boolean;
}

/** How many characters one consolidation reads; the rest waits for the next one. */
const MAX_MATERIAL = 120_000;
/** How long a process without prompts waits for a running consolidation. */
const GRACE_MS = 30_000;
/** How long to wait for a model that ignores an abort. */
const DEAF_MODEL_MS = 1_000;

/**
 * Consolidates the sessions of a database in the background whenever enough material has accumulated; one consolidation at a
 * time.
 */
export class Consolidator {
  readonly #db: Database;
  readonly #entries: MemoryEntries;
  /** The number of tokens that make a consolidation worthwhile; 0 for never. */
  readonly #after: number;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  readonly #waiting: MaterialCount;
  /** The number of tokens at which the next consolidation is due. */
  #dueAt: number;

  constructor(db: Database, entries: MemoryEntries, after: number) {
    this.#db = db;
    this.#entries = entries;
    this.#after = after;
    this.#dueAt = after;
    this.#waiting = new MaterialCount(db);
  }

  /** Starts a consolidation if one is due; never waits and never throws. */
  consider(host: ConsolidationHost): void {
    if (this.#after === 0 || this.#running || this.#closing.signal.aborted) return;
    try {
      if (!host.mayContinue() || !this.#waiting.reaches(this.#dueAt)) return;
    } catch (error) {
      this.#failed(host, error);
      return;
    }
    this.#running = this.#run(host).finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when no consolidation is running any more, or when that takes too long. */
  async settled(): Promise<void> {
    if (this.#running) await withGrace(this.#running, AbortSignal.timeout(GRACE_MS)).catch(() => {});
  }

  /**
   * Aborts a running consolidation. A later process repeats it: changes already written remain, and the remaining material is not
   * lost.
   */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#running) await withGrace(this.#running, this.#closing.signal, DEAF_MODEL_MS).catch(() => {});
  }

  async #run(host: ConsolidationHost): Promise<void> {
    try {
      do await this.#once(host);
      while (this.#waiting.reaches(this.#after));
      this.#dueAt = this.#after;
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#failed(host, error);
    }
  }

  async #once({ services, tell, mayContinue }: ConsolidationHost): Promise<void> {
    const { config, model, models, costs } = services;
    const material = waitingMaterial(this.#db, MAX_MATERIAL);
    const outcome = await consolidate(
      {
        model,
        modelName: models.standInFor(models.current),
        maxRetries: config.maxRetries,
        entries: this.#entries,
        material,
        mayContinue,
        onUsage: (name, usage) => costs.add(name, usage, false),
      },
      this.#closing.signal,
    );
    setMarks(this.#db, material, outcome);
    this.#waiting.restart();
    tell(noticeOf(outcome));
  }

  #skip(): void {
    try {
      this.#waiting.skip();
    } catch {
      // The database itself has failed.
    }
  }

  /** A failed attempt is repeated once there is new material. */
  #failed({ tell }: ConsolidationHost, error: unknown): void {
    const reason = errorMessage(error);
    this.#dueAt = Math.ceil(this.#after / 2);
    this.#skip();
    tell({
      type: "system",
      subtype: "informational",
      content: `Long-term memory could not be updated: ${reason}. This is tried again when there is more to consolidate.`,
      level: "warning",
    });
  }
}

function noticeOf({ created, updated, archived, summary }: Consolidated): Notice {
  return {
    type: "system",
    subtype: "consolidation",
    entries_created: created,
    entries_updated: updated,
    entries_archived: archived,
    summary,
  };
}
