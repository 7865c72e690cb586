/** Long-term memory: entries with their earlier versions, the index to search them, and how far each session has been read for it. */
export const MEMORY = `
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
