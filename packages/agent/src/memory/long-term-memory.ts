import type { Database } from "../store/sqlite/database.ts";
import { type ConsolidationHost, Consolidator } from "./consolidator.ts";
import { MemoryEntries } from "./entries.ts";
import { overviewText } from "./overview.ts";
import { memoryReadTools } from "./read-tools.ts";

/** What an agent with a database knows from all of its sessions. One for each database and process. */
export class LongTermMemory {
  readonly entries: MemoryEntries;
  readonly #consolidator: Consolidator;
  #overview: string | undefined;

  /** `consolidateAfter` is how many tokens of new material are enough for a consolidation; 0 for never. */
  constructor(db: Database, consolidateAfter: number) {
    this.entries = new MemoryEntries(db);
    this.#consolidator = new Consolidator(db, this.entries, consolidateAfter);
  }

  /** What the model is told of it; the same for a whole turn, so that the provider's cache holds. */
  get overview(): string {
    this.#overview ??= overviewText(this.entries.titles());
    return this.#overview;
  }

  /** The tools by which the model looks into it. */
  readonly tools = () => memoryReadTools(this.entries);

  /** A turn has its result: looks whether there is enough to consolidate. */
  turnEnded(host: ConsolidationHost): void {
    this.#overview = undefined;
    this.#consolidator.consider(host);
  }

  /** Resolves when no consolidation runs any more, or when that takes too long. */
  settled(): Promise<void> {
    return this.#consolidator.settled();
  }

  /** Ends what runs; the database may be closed then. */
  close(): Promise<void> {
    return this.#consolidator.close();
  }
}
