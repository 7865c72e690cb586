import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { storeKey } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import type { ForkSessionOptions, ForkSessionResult, SessionStoreEntry } from "../sdk/sessions.ts";
import { endsOfText, readEnds } from "./ends.ts";
import { readObjects } from "./entry.ts";
import { checkSessionId, requireSession } from "./find-session.ts";
import { firstPrompt } from "./first-prompt.ts";
import { forkedEntries } from "./forked-entries.ts";
import { titleIn } from "./info.ts";
import { sidecarTitle } from "./kept-title.ts";
import { load } from "./store-sessions.ts";

/** Copies a session, or its beginning, into a new session with new ids. */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions = {},
): Promise<ForkSessionResult> {
  checkSessionId(sessionId);
  const { dir, sessionStore } = options;
  const forkId = randomUUID();
  if (sessionStore) {
    const stored = await load(sessionStore, sessionId, dir);
    const text = stored.map((line) => JSON.stringify(line)).join("\n");
    const ends = endsOfText(text, 0);
    const title = titleIn(ends) ?? firstPrompt(ends.head);
    const lines = forkOf(stored, { sessionId, forkId, title, options });
    await sessionStore.append({ projectKey: storeKey(dir), sessionId: forkId }, lines);
    return { sessionId: forkId };
  }
  const { path, folder } = await requireSession(sessionId, dir);
  const ends = await readEnds(path);
  const title = ends && (titleIn(ends, await sidecarTitle(path, sessionId)) ?? firstPrompt(ends.head));
  const stored: JsonObject[] = [];
  for await (const line of readObjects(path)) stored.push(line);
  const lines = forkOf(stored, { sessionId, forkId, title, options });
  await store(join(folder, `${forkId}.jsonl`), lines);
  return { sessionId: forkId };
}

interface Fork {
  readonly sessionId: string;
  readonly forkId: string;
  readonly title: string | undefined;
  readonly options: ForkSessionOptions;
}

/** The lines of the new session: the conversation, replaced contents, a folder that it moved to, and a title. */
function forkOf(stored: readonly JsonObject[], fork: Fork): SessionStoreEntry[] {
  const { sessionId, forkId, title, options } = fork;
  const timestamp = new Date().toISOString();
  const own = stored.filter((line) => line.sessionId === sessionId);
  const entries = forkedEntries(stored, { sessionId, forkId, upTo: options.upToMessageId, timestamp });
  if (entries.length === 0)
    throw new HostError("session_not_found", `Session ${sessionId} has no messages to fork`);
  const replacements = own
    .filter(({ type }) => type === "content-replacement")
    .flatMap((line) => (Array.isArray(line.replacements) ? line.replacements.filter(isJsonObject) : []));
  const moved = own.findLast(({ type, relocatedCwd }) => type === "relocated" && relocatedCwd)?.relocatedCwd;
  const customTitle = options.title?.trim() || `${title || "Forked session"} (fork)`;
  return [
    ...entries,
    ...(replacements.length > 0
      ? [{ type: "content-replacement", sessionId: forkId, replacements, uuid: randomUUID(), timestamp }]
      : []),
    ...(moved === undefined ? [] : [{ type: "relocated", sessionId: forkId, relocatedCwd: moved }]),
    { type: "custom-title", sessionId: forkId, customTitle, uuid: randomUUID(), timestamp },
  ];
}

async function store(path: string, lines: readonly SessionStoreEntry[]): Promise<void> {
  try {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(path, text.join(""), { flag: "wx", mode: 0o600 });
  } catch (cause) {
    await rm(path, { force: true });
    throw cause;
  }
}
