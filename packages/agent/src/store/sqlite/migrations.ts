/** Long-term memory: entries with their earlier versions, the search index, and how far each session has been consolidated. */
const MEMORY = `
CREATE TABLE memory_entries (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  version INTEGER NOT NULL,
  is_archived INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  source_session TEXT NOT NULL
) STRICT;

-- What an entry said before; the newest is in memory_entries.
CREATE TABLE memory_versions (
  entry_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  written_at TEXT NOT NULL,
  source_session TEXT NOT NULL,
  PRIMARY KEY (entry_id, version)
) STRICT, WITHOUT ROWID;

-- Entries that are not archived, by their ids.
CREATE VIRTUAL TABLE memory_index USING fts5 (
  slug, title, body, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Up to which line a session has been consolidated, and what came of it the last time.
CREATE TABLE memory_marks (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  consolidated_at TEXT NOT NULL,
  entries_created INTEGER NOT NULL,
  entries_updated INTEGER NOT NULL,
  entries_archived INTEGER NOT NULL,
  summary TEXT NOT NULL
) STRICT;
CREATE INDEX lines_to_consolidate ON lines (session_id, seq)
  WHERE agent_id = '' AND type IN ('user', 'assistant');
`;

/** Sessions, the lines of their transcripts, and their waiting prompts. */
const CONVERSATIONS = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE lines (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- Empty for the session itself, else the subagent that the line belongs to.
  agent_id TEXT NOT NULL,
  uuid TEXT,
  type TEXT NOT NULL,
  -- 1 for what a summary has taken the place of: kept for people, not for the model.
  is_past INTEGER NOT NULL DEFAULT 0,
  line TEXT NOT NULL
) STRICT;
CREATE INDEX lines_of_conversation ON lines (session_id, agent_id, is_past, seq);
CREATE INDEX lines_by_uuid ON lines (session_id, uuid);

CREATE TABLE queue (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL,
  prompt TEXT NOT NULL,
  UNIQUE (session_id, uuid)
) STRICT;
`;

/** All migrations, oldest first. A released one never changes: corrections go into a new one. */
export const MIGRATIONS: readonly string[] = [CONVERSATIONS, MEMORY];
