import { join, relative, sep } from "node:path";
import { storeKey } from "@agentwire/local/transcript";
import type {
  ImportSessionToStoreOptions,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from "../sdk/sessions.ts";
import { readObjects } from "./entry.ts";
import { requireSession } from "./find-session.ts";
import { readSmallJson } from "./sidecar.ts";
import { filesBelow, metadataFile } from "./subagents.ts";

const DEFAULT_BATCH = 500;
/** Lines may be long, so the size of a batch is limited too. */
const MAX_BATCH_CHARACTERS = 1024 * 1024;

/** Copies a local session, and by default its subagents, into a store. */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options: ImportSessionToStoreOptions = {},
): Promise<void> {
  const { path } = await requireSession(sessionId, options.dir);
  const batchSize = options.batchSize && options.batchSize > 0 ? options.batchSize : DEFAULT_BATCH;
  const key = { projectKey: storeKey(options.dir), sessionId };
  await copyTranscript(path, key, store, batchSize, options.includeSubagents);
}

/** Copies a transcript, and by default those of its subagents beside it, into a store. */
export async function copyTranscript(
  path: string,
  key: { readonly projectKey: string; readonly sessionId: string },
  store: SessionStore,
  batchSize = DEFAULT_BATCH,
  includeSubagents = true,
): Promise<void> {
  await copy(path, key, store, batchSize);
  if (!includeSubagents) return;
  const root = path.replace(/\.jsonl$/, "");
  for (const { folder, name } of await filesBelow(join(root, "subagents"))) {
    if (!name.endsWith(".jsonl")) continue;
    const file = join(folder, name);
    const subpath = relative(root, file)
      .split(sep)
      .join("/")
      .replace(/\.jsonl$/, "");
    await copy(file, { ...key, subpath }, store, batchSize);
    const facts = await readSmallJson(metadataFile(file));
    if (facts) await store.append({ ...key, subpath }, [{ ...facts, type: "agent_metadata" }]);
  }
}

async function copy(path: string, key: SessionKey, store: SessionStore, batchSize: number): Promise<void> {
  let batch: SessionStoreEntry[] = [];
  let characters = 0;
  for await (const line of readObjects(path)) {
    batch.push(line as SessionStoreEntry);
    characters += JSON.stringify(line).length;
    if (batch.length < batchSize && characters < MAX_BATCH_CHARACTERS) continue;
    await store.append(key, batch);
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) await store.append(key, batch);
}
