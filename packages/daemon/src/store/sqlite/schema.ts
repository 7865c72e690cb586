/** The step from one version of the tables to the next. */
export interface Migration {
  /** A table, an index or a column that it creates, by which a store shows whether it was applied. */
  readonly makes: string;
  readonly sql: string;
}

/** One entry per version of the tables. */
export const MIGRATIONS: readonly Migration[] = [
  {
    makes: "sessions",
    sql: `
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
`,
  },
  {
    makes: "prompts_open",
    // A starting daemon only looks for what was left open, however much was answered.
    sql: "CREATE INDEX prompts_open ON prompts (state, session_id) WHERE state IN (1, 2)",
  },
  {
    makes: "tokens",
    sql: `
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scope INTEGER NOT NULL,
  -- SHA-256 of the secret, which is nowhere.
  hash BLOB NOT NULL,
  created_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  revoked_ms INTEGER,
  used_ms INTEGER
) STRICT;

-- Each entry has the hash of the one before in its own.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
CREATE TRIGGER audit_is_not_cleared BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
`,
  },
  {
    makes: "usage",
    sql: `
-- What was used: it stays when its session is cleared away, for it was paid.
CREATE TABLE usage (
  session_id TEXT NOT NULL,
  -- In UTC, as 2026-01-31.
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_creation_input_tokens INTEGER NOT NULL,
  cache_read_input_tokens INTEGER NOT NULL,
  -- NULL where nobody knows a price.
  cost_usd REAL,
  -- Whether some of it has no known price.
  is_incomplete INTEGER NOT NULL,
  PRIMARY KEY (session_id, day, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage (day, model);

-- The totals that an agent last reported, which the next turn is counted from.
CREATE TABLE usage_seen (
  session_id TEXT PRIMARY KEY,
  seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Limits that somebody has set beside the settings.
CREATE TABLE budgets (
  scope TEXT NOT NULL,
  -- A session, or a day.
  owner TEXT NOT NULL,
  limit_usd REAL NOT NULL,
  PRIMARY KEY (scope, owner)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    makes: "sessions.input_holder",
    sql: `
-- The client that alone may send prompts, so that the next daemon can say that it does not any more.
ALTER TABLE sessions ADD COLUMN input_holder TEXT NOT NULL DEFAULT '';
`,
  },
  {
    makes: "events.sum",
    sql: `
-- Tells an event that was damaged from one that was not: of its number and its body, NULL for those that are older than this.
ALTER TABLE events ADD COLUMN sum INTEGER;
-- What is put in and taken out again to find out whether anything can be written.
CREATE TABLE probe (body BLOB NOT NULL) STRICT;
`,
  },
  {
    makes: "rules.granted",
    sql: `
-- Whether a rule was kept with a decision about one call: such a rule overrides no denial.
ALTER TABLE rules ADD COLUMN granted INTEGER NOT NULL DEFAULT 0;
`,
  },
  {
    makes: "sessions.worktree",
    sql: `
-- The worktree that was made for a session, as JSON; empty for none.
ALTER TABLE sessions ADD COLUMN worktree TEXT NOT NULL DEFAULT '';
`,
  },
  {
    makes: "sessions.turn_failure",
    sql: `
-- Why the last turn of a session did not come to a good end; empty if it did.
ALTER TABLE sessions ADD COLUMN turn_failure TEXT NOT NULL DEFAULT '';
`,
  },
  {
    makes: "sessions.resume_at",
    sql: `
-- What the conversation was taken back to, until the agent has gone on from there.
ALTER TABLE sessions ADD COLUMN resume_at TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN effort TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN archived_ms INTEGER;
ALTER TABLE sessions ADD COLUMN pinned_ms INTEGER;
`,
  },
  {
    makes: "words",
    sql: `
-- Events in which something can be found, in the order in which they were looked through.
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  UNIQUE (session_id, seq)
) STRICT;
-- The different words of each; what was said is in the events, so nothing of it is kept here.
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, detail = none);
-- How far each session was looked through.
CREATE TABLE indexed (
  session_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
  },
  {
    makes: "prompts.place",
    sql: `
-- Where a waiting prompt was moved to, among the numbers of the others; NULL for those that were not.
ALTER TABLE prompts ADD COLUMN place REAL;
`,
  },
];
