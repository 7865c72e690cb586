import { readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { configFolder, unlessMissing } from "@agentwire/local/files";
import { isSessionId, projectsFolder, storeKey } from "@agentwire/local/transcript";
import type { Environment } from "../options/environment.ts";
import type { SessionStore } from "../sdk/sessions.ts";
import { copyTranscript } from "../session-files/import-session.ts";
import { inTime, LOAD_MS, layOut } from "./stored-session.ts";

/** The conversation that an agent is about to resume. */
interface Wanted {
  readonly cwd: string | undefined;
  readonly sessionId: string;
  readonly env: Environment;
}

/**
 * Writes a stored conversation to where the agent keeps its own, unless the local copy has the store's last message: it may have
 * continued elsewhere. A local copy that is replaced is kept next to it; one that the store lacks is added to the store. A temporary
 * configuration folder would lack the user's plugins, skills and memory.
 */
export async function bringTranscript(store: SessionStore, { cwd, sessionId, env }: Wanted): Promise<void> {
  if (!isSessionId(sessionId)) return;
  const key = { projectKey: storeKey(cwd), sessionId };
  const entries = await inTime(store.load(key), LOAD_MS, "load");
  const folder = configFolder(env, env.HOME ?? homedir());
  const file = join(projectsFolder(folder), key.projectKey, `${sessionId}.jsonl`);
  const known = await unlessMissing(readFile(file, "utf8"));
  if (!entries || entries.length === 0) {
    // It began before there was a store; the mirror will only add what follows.
    if (known !== undefined) await copyTranscript(file, key, store);
    return;
  }
  const last = entries.findLast(({ uuid }) => uuid !== undefined)?.uuid;
  if (known !== undefined && (last === undefined || known.includes(`"${last}"`))) return;
  if (known !== undefined) await rename(file, `${file}.replaced`);
  await layOut(store, key, entries, folder, LOAD_MS);
}
