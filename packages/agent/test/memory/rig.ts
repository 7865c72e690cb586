import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MemoryEntries } from "../../src/memory/entries.ts";
import { type Database, openDatabase } from "../../src/store/sqlite/database.ts";
import { newFolder } from "../store/folder.ts";

/** A new database in a file, gone when the test has finished. */
export async function newDatabase(path?: string): Promise<Database> {
  const db = await openDatabase(path ?? join(await newFolder(), "agent.db"));
  onTestFinished(() => db.close());
  return db;
}

/** The memory in a new database. */
export async function newMemory(): Promise<{ readonly db: Database; readonly entries: MemoryEntries }> {
  const db = await newDatabase();
  return { db, entries: new MemoryEntries(db) };
}

/** Writes an entry that must be taken. */
export function put(entries: MemoryEntries, slug: string, body: string, title = `About ${slug}`): void {
  const change = entries.write({ slug, title, body, sourceSession: "s" });
  if (change.kind === "refused") throw new Error(change.reason);
}

/** Adds a message to a session's transcript, as the program does. */
export function say(
  db: Database,
  sessionId: string,
  role: "user" | "assistant",
  content: unknown,
  extra: object = {},
): void {
  const time = new Date().toISOString();
  db.statement("INSERT OR IGNORE INTO sessions (id, created_at, updated_at) VALUES (?, ?, ?)").run(
    sessionId,
    time,
    time,
  );
  db.statement("INSERT INTO lines (session_id, agent_id, uuid, type, line) VALUES (?, '', ?, ?, ?)").run(
    sessionId,
    crypto.randomUUID(),
    role,
    JSON.stringify({ type: role, message: { role, content }, ...extra }),
  );
}
