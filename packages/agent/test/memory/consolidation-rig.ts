import type { ScriptStep } from "@agentwire/models/script";
import { LongTermMemory } from "../../src/memory/long-term-memory.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { newDatabase, newHost, say, type TestHost } from "./rig.ts";

/** The number of tokens that starts a consolidation in these tests. */
export const AFTER = 100;
/** A text with half of these tokens. */
export const HALF = "x".repeat(2 * AFTER);
/** A text long enough to start a consolidation. */
export const PLENTY = `I like green tea. ${HALF}${HALF}`;

/** The memory of a database, as a process of its own would have it. */
export function start(db: Database, ...consolidation: readonly ScriptStep[]) {
  const memory = new LongTermMemory(db, AFTER);
  const host = newHost(...consolidation);
  return { memory, entries: memory.entries, host, endTurn: () => endTurn(memory, host) };
}

/** Ends a turn; resolves with what the host has received when nothing is running any more. */
export async function endTurn(memory: LongTermMemory, host: TestHost) {
  memory.turnEnded(host);
  await memory.settled();
  return host.told;
}

/** The same, with enough material for a consolidation in the database. */
export async function ready(...consolidation: readonly ScriptStep[]) {
  const db = await newDatabase();
  say(db, "one", "user", PLENTY);
  return { db, ...start(db, ...consolidation) };
}
