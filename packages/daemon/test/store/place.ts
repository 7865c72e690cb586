import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { afterEach, beforeEach } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { SessionRecord } from "../../src/session/record.ts";
import { type Database, openForReading } from "../../src/store/database.ts";
import { Writer } from "../../src/store/writer.ts";

/** A folder with a store in it, for one test. */
export interface Place {
  readonly folder: string;
  readonly writer: Writer;
  readonly db: Database;
}

/** Gives each test of a file a store of its own: what is returned is that of the test that runs. */
export function withStore(): Place {
  const place: { -readonly [K in keyof Place]?: Place[K] } = {};
  beforeEach(async () => {
    place.folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-store-"));
    place.writer = await Writer.open(join(place.folder, "store.db"));
    place.db = openForReading(place.writer.path);
  });
  afterEach(async () => {
    await place.writer?.close();
    place.db?.close();
    rmSync(place.folder ?? "", { recursive: true });
  });
  return place as Place;
}

/** A session that nobody has used yet. */
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
  idempotencyKey: null,
  createdMs: 0,
  updatedMs: 0,
  deletedMs: null,
  ...changes,
});
