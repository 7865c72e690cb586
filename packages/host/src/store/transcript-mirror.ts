import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configFolder } from "@agentwire/local/files";
import { projectsFolder } from "@agentwire/local/transcript";
import type { TranscriptMirrorMessage } from "@agentwire/protocol/messages";
import { errorMessage, within } from "@agentwire/protocol/support";
import type { Environment } from "../options/environment.ts";
import type { Options } from "../sdk/options.ts";
import type { SDKMirrorErrorMessage } from "../sdk/session-messages.ts";
import type { SessionKey, SessionStore, SessionStoreEntry } from "../sdk/sessions.ts";

/** A part of a session that could not be stored. */
export interface MirrorFailure {
  readonly key: SessionKey;
  readonly error: string;
}

const MAX_ENTRIES = 500;
const MAX_CHARS = 1_048_576;
const APPEND_MS = 60_000;
const RETRY_AFTER_MS = [200, 800];

/** Copies the transcript that an agent writes into a session store, in batches and in order. */
export class TranscriptMirror {
  readonly #store: SessionStore;
  readonly #projects: string;
  readonly #eager: boolean;
  readonly #onFailure: (failure: MirrorFailure) => void;
  #waiting: TranscriptMirrorMessage[] = [];
  #entries = 0;
  #chars = 0;
  #flushing: Promise<void> = Promise.resolve();

  constructor(
    store: SessionStore,
    projects: string,
    eager: boolean,
    onFailure: (failure: MirrorFailure) => void,
  ) {
    this.#store = store;
    this.#projects = projects;
    this.#eager = eager;
    this.#onFailure = onFailure;
  }

  /** Adds a piece of the transcript. */
  add(piece: TranscriptMirrorMessage): void {
    this.#waiting.push(piece);
    this.#entries += piece.entries.length;
    this.#chars += JSON.stringify(piece.entries).length;
    if (this.#eager || this.#entries > MAX_ENTRIES || this.#chars > MAX_CHARS) void this.flush();
  }

  /** Resolves, never rejects, when everything added so far has been stored or given up. */
  async flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#entries = 0;
    this.#chars = 0;
    this.#flushing = this.#flushing.then(() => this.#write(batch));
    await this.#flushing;
  }

  async #write(batch: readonly TranscriptMirrorMessage[]): Promise<void> {
    const byFile = new Map<string, SessionStoreEntry[]>();
    for (const { filePath, entries } of batch) {
      const file = byFile.get(filePath) ?? [];
      for (const entry of entries as unknown as SessionStoreEntry[]) file.push(entry);
      byFile.set(filePath, file);
    }
    for (const [filePath, entries] of byFile) {
      // A file elsewhere is not a session of this host; the key must not come from an untrusted path.
      const key = sessionKey(this.#projects, filePath);
      if (key) await this.#append(key, entries);
    }
  }

  async #append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const inTime = await within(APPEND_MS, () => this.#store.append(key, entries));
        // A store that hangs would hang again, and may have stored the piece anyway.
        if (!inTime) this.#onFailure({ key, error: `the store took longer than ${APPEND_MS} ms` });
        return;
      } catch (error) {
        const pause = RETRY_AFTER_MS[attempt];
        if (pause === undefined) {
          this.#onFailure({ key, error: errorMessage(error) });
          return;
        }
        await sleep(pause);
      }
    }
  }
}

/** Creates a mirror for a session with these options in this environment. */
export function mirrorTo(
  store: SessionStore,
  { sessionStoreFlush }: Options,
  env: Environment,
  onFailure: (failure: MirrorFailure) => void,
): TranscriptMirror {
  const projects = projectsFolder(configFolder(env, env.HOME ?? homedir()));
  return new TranscriptMirror(store, projects, sessionStoreFlush === "eager", onFailure);
}

/** The key of a transcript file: `project/session.jsonl`, or `project/session/…/name.jsonl` beside it. */
export function sessionKey(projects: string, filePath: string): SessionKey | undefined {
  const path = relative(projects, filePath);
  const [projectKey, session, ...rest] = path.split(sep);
  if (isAbsolute(path) || !projectKey || projectKey === ".." || !session) return undefined;
  if (rest.length === 0)
    return session.endsWith(".jsonl") ? { projectKey, sessionId: session.slice(0, -6) } : undefined;
  if (rest.length < 2) return undefined;
  return { projectKey, sessionId: session, subpath: rest.join("/").replace(/\.jsonl$/, "") };
}

/** The message that tells a user of a query which part of the session could not be stored. */
export function mirrorError({ key, error }: MirrorFailure): SDKMirrorErrorMessage {
  return {
    type: "system",
    subtype: "mirror_error",
    error,
    key,
    uuid: randomUUID(),
    session_id: key.sessionId,
  };
}
