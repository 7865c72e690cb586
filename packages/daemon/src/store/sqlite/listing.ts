import { SessionStatus } from "@agentwire/api";
import {
  type Listing,
  listingOf,
  pageSizeOf,
  patternsOf,
  placeOf,
  type RankedSession,
  type SessionQuery,
} from "../session-query.ts";
import type { Database, SqlValue } from "./database.ts";
import { SELECT_SESSIONS } from "./sessions.ts";

/** The order of attention: pinned sessions first, then questions, then sessions and turns that failed, then running turns. */
const URGENCY = `CASE WHEN pinned_ms IS NOT NULL THEN -1 ELSE CASE status WHEN ${SessionStatus.ASKING} THEN 0 WHEN ${SessionStatus.FAILED} THEN 1
  WHEN ${SessionStatus.IDLE} THEN iif(turn_failure = '', 3, 1) ELSE 2 END END`;

/** A condition with its values. */
type Condition = readonly [sql: string, ...values: SqlValue[]];

/** Reads a page of sessions. */
export function listSessions(db: Database, query: SessionQuery): Listing {
  const size = pageSizeOf(query);
  const rank = query.byAttention ? URGENCY : undefined;
  const conditions = conditionsOf(query, rank);
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
  const values = conditions.flatMap(([, ...given]) => given);
  // All sessions are in an index in this order; finding a few of them through it (`+` prevents that) takes twice as long.
  const isWhole =
    query.cwd === "" && query.search === "" && query.statuses.length === 0 && query.promptedBy === "";
  const order = `${rank ? "rank, " : ""}${isWhole ? "" : "+"}updated_ms DESC, id`;
  const sql = `${SELECT_SESSIONS.replace(" FROM", `, ${rank ?? "0"} AS rank FROM`)} ${where} ORDER BY ${order} LIMIT ?`;
  return listingOf(db.statement(sql).all(...values, size + 1) as unknown as RankedSession[], size);
}

function conditionsOf(query: SessionQuery, rank: string | undefined): readonly Condition[] {
  const { statuses, cwd } = query;
  const conditions: Condition[] = [];
  if (!query.includeDeleted) conditions.push(["deleted_ms IS NULL"]);
  conditions.push([`archived_ms IS ${query.archived ? "NOT NULL" : "NULL"}`]);
  if (cwd !== "") conditions.push(["cwd = ?", cwd]);
  if (statuses.length > 0)
    conditions.push([`status IN (${statuses.map(() => "?").join(", ")})`, ...statuses]);
  for (const pattern of patternsOf(query))
    conditions.push(["(title || ' ' || cwd || ' ' || first_prompt) LIKE ? ESCAPE '\\'", pattern]);
  const { promptedBy } = query;
  if (promptedBy !== "")
    conditions.push([
      "EXISTS (SELECT 1 FROM prompts WHERE session_id = sessions.id AND substr(client, 1, length(?)) = ?)",
      ...[promptedBy, promptedBy],
    ]);
  const place = placeOf(query);
  if (place) {
    const [after, updatedMs, id] = place;
    conditions.push(
      rank
        ? [`(${rank}, -updated_ms, id) > (?, ?, ?)`, after, -updatedMs, id]
        : ["updated_ms <= ? AND (updated_ms < ? OR id > ?)", updatedMs, updatedMs, id],
    );
  }
  return conditions;
}
