import type { ScriptStep } from "@agentwire/models/script";
import { LongTermMemory } from "../../src/memory/long-term-memory.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { newDatabase, newHost, say, type TestHost } from "./rig.ts";

/** How many tokens are enough in these tests. */
export const AFTER = 100;
/** So many characters come to half of it. */
export const HALF = "x".repeat(2 * AFTER);
/** What is enough to consolidate. */
export const PLENTY = `I like green tea. ${HALF}${HALF}`;

/** The memory of a database in a process of its own. */
export function start(db: Database, ...consolidation: readonly ScriptStep[]) {
  const memory = new LongTermMemory(db, AFTER);
  const host = newHost(...consolidation);
  return { memory, entries: memory.entries, host, endTurn: () => endTurn(memory, host) };
}

/** Ends a turn; resolves with what the host has heard so far, when nothing runs any more. */
export async function endTurn(memory: LongTermMemory, host: TestHost) {
  memory.turnEnded(host);
  await memory.settled();
  return host.told;
}

/** The same, with enough to consolidate in the database. */
export async function ready(...consolidation: readonly ScriptStep[]) {
  const db = await newDatabase();
  say(db, "one", "user", PLENTY);
  return { db, ...start(db, ...consolidation) };
}
