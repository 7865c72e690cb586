import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { loadConversation } from "../../src/store/sqlite/store.ts";
import { expectSoundHistory } from "../history-checks.ts";
import { textOf } from "../wire.ts";

/** What a database has stored of the messages from hosts. */
export interface Kept {
  /** The texts of all user messages in conversations, with duplicates. */
  readonly answered: readonly string[];
  /** The texts of the messages in queues. */
  readonly queued: readonly string[];
}

/** Reads a database that no process has open; throws if a model would refuse one of its conversations. */
export async function readKept(path: string): Promise<Kept> {
  const db = new DatabaseSync(path, { readOnly: true });
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const lines = db.prepare("SELECT line FROM lines WHERE type = 'user'").all();
  const queue = db.prepare("SELECT prompt FROM queue").all();
  const sessions = db.prepare("SELECT id FROM sessions").all();
  db.close();
  for (const { id } of sessions) await expectSound(path, String(id));
  return {
    answered: lines.flatMap(({ line }) => promptOf(JSON.parse(String(line)))),
    queued: queue.map(({ prompt }) => textOf(JSON.parse(String(prompt)))),
  };
}

async function expectSound(path: string, id: string): Promise<void> {
  const database = await openDatabase(path, { readOnly: true });
  const { messages = [] } = loadConversation(database, id) ?? {};
  database.close();
  const last = messages.at(-1)?.role === "assistant" ? [{ role: "user", content: "and then?" }] : [];
  if (messages.length > 0) expectSoundHistory([...messages, ...last]);
}

/** Tool results and interrupt marks do not count as text of the user. */
function promptOf({ message }: JsonObject): readonly string[] {
  const content = isJsonObject(message) ? message.content : undefined;
  return typeof content === "string" ? [content] : [];
}
