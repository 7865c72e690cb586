/** Names one transcript in a store: that of a session, or a related one such as a subagent's. */
export type SessionKey = { projectKey: string; sessionId: string; subpath?: string };

/** One line of a transcript. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };

/** What a store keeps about a session so that it can list it without reading it. */
export type SessionSummaryEntry = { sessionId: string; mtime: number; data: Record<string, unknown> };

/** Whether lines are sent to the store in batches or one by one. */
export type SessionStoreFlush = "batched" | "eager";

/** Storage for transcripts other than the local disk. */
export type SessionStore = {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
};

/** What can be known about a session without reading all of it. */
export type SDKSessionInfo = {
  sessionId: string;
  /** The text for a list: the title, a summary or the first prompt. */
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  fileSize?: number;
  customTitle?: string;
  firstPrompt?: string;
  gitBranch?: string;
  cwd?: string;
  tag?: string;
  /** Milliseconds since 1970. */
  createdAt?: number;
  archived?: boolean;
};

/** One message of a stored conversation. */
export type SessionMessage = {
  type: "user" | "assistant" | "system";
  uuid: string;
  session_id: string;
  message: unknown;
  parent_tool_use_id: string | null;
  parent_agent_id: string | null;
};

type Place = {
  /** The project's folder; absent: all projects are searched. */
  dir?: string;
  /** Where transcripts are kept, if not on the local disk. */
  sessionStore?: SessionStore;
};

type Page = { limit?: number; offset?: number };

/** Which sessions to list. */
export type ListSessionsOptions = Place &
  Page & {
    /** False leaves out the other worktrees of the project's repository. */
    includeWorktrees?: boolean;
    /** False leaves out the sessions that programs started. */
    includeProgrammatic?: boolean;
  };

/** Where to look for a session. */
export type GetSessionInfoOptions = Place;

/** Which messages of a session to read. */
export type GetSessionMessagesOptions = Place & Page & { includeSystemMessages?: boolean };

/** Where to look for a session's subagents. */
export type ListSubagentsOptions = Place;

/** Which messages of a subagent to read. */
export type GetSubagentMessagesOptions = Place & Page;

/** Where to look for the session to change. */
export type SessionMutationOptions = Place;

/** Which part of a session to copy, and how to name the copy. */
export type ForkSessionOptions = SessionMutationOptions & {
  /** The last message of the copy; absent: all are copied. */
  upToMessageId?: string;
  title?: string;
};

/** The session that a fork created. */
export type ForkSessionResult = { sessionId: string };

/** How to copy a local session into a store. */
export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };
