import { join } from "node:path";
import type { ScriptStep } from "@agentwire/models/script";
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { parseFlags } from "../../src/config/flags.ts";
import type { Notice } from "../../src/host/outlet.ts";
import type { ConsolidationHost } from "../../src/memory/consolidator.ts";
import { MemoryEntries } from "../../src/memory/entries.ts";
import type { Model, ModelCall } from "../../src/model/model.ts";
import { ModelState } from "../../src/model/model-state.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { type Database, openDatabase } from "../../src/store/sqlite/database.ts";
import { Costs } from "../../src/turn/costs.ts";
import { newFolder } from "../store/folder.ts";

/** A new database file, removed after the test. */
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

/** Writes an entry that must be accepted. */
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

/** A session with what a consolidation needs. */
export interface TestHost extends ConsolidationHost {
  /** What its host has received. */
  readonly told: Notice[];
  /** The requests to its model. */
  readonly asked: ModelCall[];
  readonly costs: Costs;
}

/** A session whose model plays these steps for consolidations. */
export function newHost(...consolidation: readonly ScriptStep[]): TestHost {
  const told: Notice[] = [];
  const asked: ModelCall[] = [];
  const scripted = scriptedModel({ steps: [], lanes: { consolidation } }, new Map());
  const model: Model = {
    call(call, signal) {
      asked.push({ ...call, messages: [...call.messages] });
      return scripted.call(call, signal);
    },
  };
  const config = { ...readConfig(parseFlags([]), {}, "/"), maxRetries: 0 };
  const { modelNames: names } = config;
  const preferences = {
    name: "claude-opus-4-5",
    names,
    fallbacks: [],
    thinking: undefined,
    maxReplyTokens: undefined,
    effort: undefined,
  };
  const costs = new Costs();
  return {
    told,
    asked,
    costs,
    services: { config, model, models: new ModelState(model, preferences), costs },
    tell: (notice) => void told.push(notice),
    mayContinue: () => true,
  };
}

/** A scripted step that calls tools. */
export const calls = (...content: readonly (readonly [name: string, input: object])[]): ScriptStep => ({
  content: content.map(([name, input]) => ({ type: "tool_use", name, input })),
});

/** The call that writes an entry. */
export const write = (slug: string, body: string, title = `About ${slug}`) =>
  ["MemoryWrite", { slug, title, body }] as const;

/** The call that ends a consolidation. */
export const finish = (summary: string) => ["MemoryFinish", { summary }] as const;
