import type { SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from "../sdk/sessions.ts";
import { foldSessionSummary } from "./summary.ts";

interface Stored {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
  mtime: number;
  summary: SessionSummaryEntry | undefined;
}

/** A session store for tests and experiments: its content is lost when the program ends. */
export class InMemorySessionStore implements SessionStore {
  readonly #stored = new Map<string, Stored>();
  #lastMtime = 0;

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    // Keeps the order of two changes within one millisecond.
    this.#lastMtime = Math.max(Date.now(), this.#lastMtime + 1);
    const name = nameOf(key);
    const stored = this.#stored.get(name) ?? { key: { ...key }, entries: [], mtime: 0, summary: undefined };
    for (const entry of entries) stored.entries.push(entry);
    stored.mtime = this.#lastMtime;
    if (isMain(key))
      stored.summary = foldSessionSummary(stored.summary, key, entries, { mtime: stored.mtime });
    this.#stored.set(name, stored);
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const stored = this.#stored.get(nameOf(key));
    return stored ? [...stored.entries] : null;
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return this.#sessionsOf(projectKey).map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return this.#sessionsOf(projectKey).flatMap(({ summary }) => summary ?? []);
  }

  /** Without a subpath, everything below the session is deleted too. */
  async delete(key: SessionKey): Promise<void> {
    this.#stored.delete(nameOf(key));
    if (!isMain(key)) return;
    for (const [name, stored] of this.#stored) if (isBelow(stored.key, key)) this.#stored.delete(name);
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return [...this.#stored.values()].flatMap((stored) =>
      isBelow(stored.key, key) && stored.key.subpath ? [stored.key.subpath] : [],
    );
  }

  /** What is stored under a key. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return [...(this.#stored.get(nameOf(key))?.entries ?? [])];
  }

  /** How many sessions there are. */
  get size(): number {
    return [...this.#stored.values()].filter(({ key }) => isMain(key)).length;
  }

  clear(): void {
    this.#stored.clear();
  }

  #sessionsOf(projectKey: string): Stored[] {
    return [...this.#stored.values()].filter(({ key }) => isMain(key) && key.projectKey === projectKey);
  }
}

const nameOf = ({ projectKey, sessionId, subpath }: SessionKey) =>
  JSON.stringify([projectKey, sessionId, subpath ?? ""]);

const isMain = ({ subpath }: SessionKey) => !subpath;

const isBelow = (key: SessionKey, session: SessionKey) =>
  !isMain(key) && key.projectKey === session.projectKey && key.sessionId === session.sessionId;
