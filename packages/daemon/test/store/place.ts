import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { afterEach, beforeEach } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { StoredEvent } from "../../src/store/checked-event.ts";
import type { SessionRecord } from "../../src/store/session-record.ts";
import { type Database, openForReading } from "../../src/store/sqlite/database.ts";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { Writer } from "../../src/store/sqlite/writer.ts";
import type { Store } from "../../src/store/store.ts";
import type { Write } from "../../src/store/write.ts";

/** A folder with a store in it, for one test. */
export interface Place {
  readonly folder: string;
  readonly writer: Writer;
  readonly db: Database;
  readonly store: Store;
}

/** Gives each test of a file its own store; the returned object always refers to the current test's. */
export function withStore(): Place {
  const place: { -readonly [K in keyof Place]?: Place[K] } = {};
  beforeEach(async () => {
    place.folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-store-"));
    place.writer = await Writer.open(join(place.folder, "store.db"));
    const { writer } = place;
    const db = openForReading(writer.path);
    place.db = db;
    place.store = sqliteStore(writer, db, async () => {
      await writer.close();
      db.close();
    });
  });
  afterEach(async () => {
    await place.store?.close();
    rmSync(place.folder ?? "", { recursive: true });
  });
  return place as Place;
}

/** The write that appends an event to the log. */
export const appendEvent = (sessionId: string, event: StoredEvent): Write => ({
  type: "appendEvent",
  sessionId,
  ...event,
});

/** A session that has not been used yet. */
export const newRecord = (changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id: "6e1a9a4e-0f0f-4a53-8d6d-3f4a3f5f2f11",
  title: "",
  cwd: "/",
  agent: "own",
  model: "",
  mode: "default",
  status: SessionStatus.IDLE,
  agentSessionId: "",
  forkedFrom: "",
  firstPrompt: "",
  inputHolder: "",
  worktree: "",
  turnFailure: "",
  resumeAt: "",
  effort: "",
  archivedMs: null,
  pinnedMs: null,
  idempotencyKey: null,
  createdMs: 0,
  updatedMs: 0,
  deletedMs: null,
  ...changes,
});
