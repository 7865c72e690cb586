/** The statements that bring a database from one version of the tables to the next, one entry per version. */
export const MIGRATIONS: readonly string[] = [
  `
-- The daemons that use this database. Each commit proves the epoch of its node; who takes over from a node raises it.
CREATE TABLE nodes (
  id text PRIMARY KEY,
  epoch bigint NOT NULL,
  address text NOT NULL,
  expires timestamptz NOT NULL
);

-- Fails unless a node has the epoch; the number of the transaction tells later whether it was committed.
CREATE FUNCTION prove_epoch(node text, proved bigint) RETURNS xid8 LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM nodes WHERE id = node AND epoch = proved FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another node has taken over' USING ERRCODE = 'AW001';
  END IF;
  RETURN pg_current_xact_id();
END $$;

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  title text NOT NULL,
  cwd text NOT NULL,
  agent text NOT NULL,
  model text NOT NULL,
  mode text NOT NULL,
  status int NOT NULL,
  agent_session_id text NOT NULL,
  forked_from text NOT NULL,
  first_prompt text NOT NULL,
  input_holder text NOT NULL,
  worktree text NOT NULL,
  turn_failure text NOT NULL,
  idempotency_key text UNIQUE,
  created_ms bigint NOT NULL,
  updated_ms bigint NOT NULL,
  deleted_ms bigint,
  -- The node that runs it.
  owner text NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (updated_ms DESC, id);
CREATE INDEX sessions_by_owner ON sessions (owner);

CREATE TABLE events (
  session_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  -- The reply that a delta is a piece of: it goes when the reply is finished.
  delta_of text,
  body bytea NOT NULL,
  sum bigint NOT NULL,
  PRIMARY KEY (session_id, seq)
);
-- What was encoded is not worth compressing.
ALTER TABLE events ALTER body SET STORAGE EXTERNAL;

CREATE TABLE raw_lines (
  session_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  line bytea NOT NULL,
  PRIMARY KEY (session_id, seq)
);

CREATE TABLE prompts (
  id text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  idempotency_key text,
  content text NOT NULL,
  -- The beginning of its text.
  shown text NOT NULL,
  client text NOT NULL,
  state int NOT NULL,
  seq bigint NOT NULL,
  UNIQUE (session_id, idempotency_key)
);
CREATE INDEX prompts_in_order ON prompts (session_id, state, seq);
CREATE INDEX prompts_open ON prompts (session_id) WHERE state IN (1, 2);

CREATE TABLE questions (
  id text COLLATE "C" PRIMARY KEY,
  -- The order in which they were asked.
  place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  session_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  request_id text NOT NULL,
  disposition int NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX questions_in_order ON questions (disposition, session_id, seq);

CREATE TABLE rules (
  id text PRIMARY KEY,
  rule text NOT NULL,
  behavior int NOT NULL,
  scope int NOT NULL,
  owner text NOT NULL,
  created_by text NOT NULL,
  created_ms bigint NOT NULL,
  granted boolean NOT NULL,
  UNIQUE (scope, owner, rule)
);

CREATE TABLE tokens (
  id text PRIMARY KEY,
  name text NOT NULL,
  scope int NOT NULL,
  -- SHA-256 of the secret, which is nowhere.
  hash bytea NOT NULL,
  created_by text NOT NULL,
  created_ms bigint NOT NULL,
  expires_ms bigint,
  revoked_ms bigint,
  used_ms bigint
);

-- Each entry has the hash of the one before in its own.
CREATE TABLE audit (
  seq bigint PRIMARY KEY,
  time_ms bigint NOT NULL,
  kind text NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail text NOT NULL,
  hash text NOT NULL
);
CREATE FUNCTION audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit log is only ever added to'; END $$;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_only_added_to();

-- What was used: it stays when its session is cleared away, for it was paid.
CREATE TABLE usage (
  session_id text COLLATE "C" NOT NULL,
  -- In UTC, as 2026-01-31.
  day text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cache_creation_input_tokens bigint NOT NULL,
  cache_read_input_tokens bigint NOT NULL,
  -- NULL without a known price.
  cost_usd double precision,
  is_incomplete boolean NOT NULL,
  PRIMARY KEY (session_id, day, model)
);
CREATE INDEX usage_by_day ON usage (day, model);

-- The totals that an agent last reported, which the next turn is counted from.
CREATE TABLE usage_seen (
  session_id text COLLATE "C" PRIMARY KEY,
  seen text NOT NULL
);

-- Limits that somebody has set beside the settings: on a session, or on a day.
CREATE TABLE budgets (
  scope text NOT NULL,
  owner text NOT NULL,
  limit_usd double precision NOT NULL,
  PRIMARY KEY (scope, owner)
);
`,
  `
-- What the conversation was taken back to, until the agent has gone on from there.
ALTER TABLE sessions ADD COLUMN resume_at text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN effort text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN archived_ms bigint;
ALTER TABLE sessions ADD COLUMN pinned_ms bigint;
`,
  `
-- What others learn of a node with its signs of life. Whoever has taken over from one that was dead is named until it is back.
ALTER TABLE nodes ADD name text NOT NULL DEFAULT '', ADD version text NOT NULL DEFAULT '', ADD taken_by text,
  ADD processes int NOT NULL DEFAULT 0, ADD max_processes int NOT NULL DEFAULT 0, ADD draining boolean NOT NULL DEFAULT false;

-- By this nodes prove themselves to each other.
CREATE TABLE cluster (key bytea NOT NULL);
INSERT INTO cluster VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Whether its folder is the same on every node ('shared'), so that any of them can go on with it, or only on its own ('pinned').
ALTER TABLE sessions ADD workspace text NOT NULL DEFAULT 'pinned';

-- Each node has a chain of its own; the position orders them all.
ALTER TABLE audit ADD node text NOT NULL DEFAULT '', ADD position bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
ALTER TABLE audit DROP CONSTRAINT audit_pkey, ADD PRIMARY KEY (node, seq);
`,
  `
-- Events in which something can be found, with their different words, in the order in which they were looked through.
CREATE TABLE texts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  words tsvector NOT NULL,
  UNIQUE (session_id, seq)
);
CREATE INDEX texts_by_word ON texts USING gin (words);
-- How far each session was looked through.
CREATE TABLE indexed (
  session_id text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL
);
`,
  `
-- Where a waiting prompt was moved to, among the numbers of the others; NULL for those that were not.
ALTER TABLE prompts ADD COLUMN place double precision;
`,
  `
-- Where clients reach a node.
ALTER TABLE nodes ADD client_address text NOT NULL DEFAULT '';
`,
  `
-- The last commit of each node under its epoch: by this it learns whether one happened whose answer was lost. The number of a transaction
-- does not tell: a server that was killed gives it again.
CREATE TABLE commits (
  node text PRIMARY KEY,
  epoch bigint NOT NULL,
  number bigint NOT NULL
) WITH (fillfactor = 10);

-- Fails unless a node has the epoch.
CREATE FUNCTION prove_commit(proved_node text, proved_epoch bigint, commit_number bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM nodes WHERE id = proved_node AND epoch = proved_epoch FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'another node has taken over' USING ERRCODE = 'AW001';
  END IF;
  UPDATE commits SET epoch = proved_epoch, number = commit_number WHERE node = proved_node;
END $$;
`,
  `
-- Pieces of a reply that were stored together are one row under the number of the last one: so many are in it.
ALTER TABLE events ADD packed int NOT NULL DEFAULT 1;
-- Pieces are deleted when their reply is finished: what they leave is cleared away early, and rows that only come and go leave room for changes.
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE nodes SET (fillfactor = 10);
ALTER TABLE sessions SET (fillfactor = 70);
-- The tables that a node knows: pieces are only packed where all nodes can read them.
ALTER TABLE nodes ADD tables int NOT NULL DEFAULT 0;
`,
  `
-- The conversations of agents, line by line, so that any node can have them resumed.
CREATE TABLE transcripts (
  agent_session text COLLATE "C" NOT NULL,
  -- What stands beside a conversation, such as a subagent's; empty for itself.
  subpath text COLLATE "C" NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  line text NOT NULL,
  PRIMARY KEY (agent_session, subpath, place)
);

-- The files of sessions in git repositories after their turns, as bundles; each that is not whole needs those before it.
CREATE TABLE snapshots (
  session_id text COLLATE "C" NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  node text NOT NULL,
  commit text NOT NULL,
  head text NOT NULL,
  branch text NOT NULL,
  whole boolean NOT NULL,
  prefix text NOT NULL,
  pack bytea NOT NULL,
  taken timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, place)
);
-- What was packed is not worth compressing.
ALTER TABLE snapshots ALTER pack SET STORAGE EXTERNAL;
COMMENT ON COLUMN sessions.workspace IS 'pinned, shared, or git: with snapshots that any node can take up';
`,
];
