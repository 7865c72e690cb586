import type { Database } from "../store/sqlite/database.ts";
import { type ConsolidationHost, Consolidator } from "./consolidator.ts";
import { MemoryEntries } from "./entries.ts";
import { overviewText } from "./overview.ts";
import { memoryReadTools } from "./read-tools.ts";

/** What an agent with a database knows from all of its sessions. There is one per database and process. */
export class LongTermMemory {
  readonly entries: MemoryEntries;
  readonly #consolidator: Consolidator;
  #overview: string | undefined;

  /** `consolidateAfter` is how many tokens of new material lead to a consolidation; 0 for never. */
  constructor(db: Database, consolidateAfter: number) {
    this.entries = new MemoryEntries(db);
    this.#consolidator = new Consolidator(db, this.entries, consolidateAfter);
  }

  /** The overview of the memory for the model. It stays the same during a turn, so that the provider's cache remains valid. */
  get overview(): string {
    this.#overview ??= overviewText(this.entries.titles());
    return this.#overview;
  }

  /** The tools with which the model reads the memory. */
  readonly tools = () => memoryReadTools(this.entries);

  /** Called when a turn has its result: checks whether there is enough to consolidate. */
  turnEnded(host: ConsolidationHost): void {
    this.#overview = undefined;
    this.#consolidator.consider(host);
  }

  /** Resolves when no consolidation is running any more, or when that takes too long. */
  settled(): Promise<void> {
    return this.#consolidator.settled();
  }

  /** Aborts a running consolidation; afterwards the database may be closed. */
  close(): Promise<void> {
    return this.#consolidator.close();
  }
}
