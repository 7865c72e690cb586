/** Names one transcript in a store: a session's own, or one beside it such as a subagent's. */
export type SessionKey = { projectKey: string; sessionId: string; subpath?: string };

/** One line of a transcript. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };

/** What a store keeps about a session so that it can be listed without being read. */
export type SessionSummaryEntry = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** Whether lines go to the store in batches or one by one. */
export type SessionStoreFlush = "batched" | "eager";

/** A place for transcripts other than the local disk. */
export type SessionStore = {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
};
