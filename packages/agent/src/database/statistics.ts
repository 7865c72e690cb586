import { statSync } from "node:fs";
import { type MemoryStatistics, memoryStatistics } from "../memory/statistics.ts";
import type { Database } from "../store/sqlite/database.ts";

/** Statistics of one session. */
export interface SessionStatistics {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Messages of the user and the model, tool results included. */
  readonly messages: number;
  /** How many of these have been replaced by a summary. */
  readonly past_messages: number;
  readonly queued_messages: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Statistics of a whole database. */
export interface DatabaseStatistics {
  readonly database: string;
  readonly bytes: number;
  readonly sessions: readonly SessionStatistics[];
  readonly memory: MemoryStatistics;
}

/** Reads the statistics of a database; changes nothing. */
export function databaseStatistics(database: Database): DatabaseStatistics {
  return {
    database: database.path,
    bytes: statSync(database.path).size,
    sessions: database.statement(SESSIONS).all() as unknown as readonly SessionStatistics[],
    memory: memoryStatistics(database),
  };
}

/** A reply may be stored as several lines, each with the usage of the whole reply. */
const SESSIONS = `
WITH replies AS (
  SELECT session_id, max(json_extract(line, '$.message.usage.input_tokens')) AS input,
    max(json_extract(line, '$.message.usage.output_tokens')) AS output
  FROM lines WHERE type = 'assistant'
  GROUP BY session_id, coalesce(json_extract(line, '$.message.id'), seq)
)
SELECT id, created_at, updated_at,
  (SELECT count(*) FROM lines WHERE session_id = id AND agent_id = '' AND type IN ('user', 'assistant')) AS messages,
  (SELECT count(*) FROM lines WHERE session_id = id AND agent_id = '' AND type IN ('user', 'assistant') AND is_past = 1) AS past_messages,
  (SELECT count(*) FROM queue WHERE session_id = id) AS queued_messages,
  (SELECT coalesce(sum(input), 0) FROM replies WHERE session_id = id) AS input_tokens,
  (SELECT coalesce(sum(output), 0) FROM replies WHERE session_id = id) AS output_tokens
FROM sessions ORDER BY updated_at DESC, id`;
