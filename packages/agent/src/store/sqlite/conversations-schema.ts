/** Sessions, the lines of their transcripts, and the prompts that wait for their turn. */
export const CONVERSATIONS = `
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
