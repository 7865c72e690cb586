CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  cwd TEXT NOT NULL,
  agent TEXT NOT NULL,
  model TEXT NOT NULL,
  mode TEXT NOT NULL,
  status INTEGER NOT NULL,
  -- What the agent calls the conversation: empty until it has said so.
  agent_session_id TEXT NOT NULL DEFAULT '',
  forked_from TEXT NOT NULL DEFAULT '',
  first_prompt TEXT NOT NULL DEFAULT '',
  idempotency_key TEXT UNIQUE,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  deleted_ms INTEGER
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated_ms DESC, id);

-- Rows are in the order in which they are read: a replay is one scan.
CREATE TABLE events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  -- The reply that a delta is a piece of: it goes when the reply is finished.
  delta_of TEXT,
  body BLOB NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE raw_lines (
  session_id TEXT NOT NULL,
  -- The number of the first event that came of it.
  seq INTEGER NOT NULL,
  line BLOB NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE prompts (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  idempotency_key TEXT,
  content TEXT NOT NULL,
  client TEXT NOT NULL,
  state INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  UNIQUE (session_id, idempotency_key)
) STRICT;
CREATE INDEX prompts_in_order ON prompts (session_id, state, seq);

CREATE TABLE questions (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  disposition INTEGER NOT NULL,
  -- The question as clients see it.
  body BLOB NOT NULL
) STRICT;
CREATE INDEX questions_in_order ON questions (disposition, session_id, seq);

CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  rule TEXT NOT NULL,
  behavior INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  owner TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  UNIQUE (scope, owner, rule)
) STRICT;
CREATE INDEX prompts_open ON prompts (state, session_id) WHERE state IN (1, 2);
INSERT INTO sessions (id, title, cwd, agent, model, mode, status, created_ms, updated_ms) VALUES ('old', '', '/old', 'agentwire', '', 'default', 1, 1, 2);
INSERT INTO events (session_id, seq, delta_of, body) VALUES ('old', 1, NULL, x'0a036f6c641001');
PRAGMA application_id = 1634169956;
PRAGMA user_version = 2;
