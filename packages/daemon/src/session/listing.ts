import { SessionStatus } from "@agentwire/api";
import { DaemonError } from "../errors.ts";
import type { Database, SqlValue } from "../store/database.ts";
import { SELECT_SESSIONS, type SessionRecord } from "./record.ts";

/** Which sessions are wanted, and where the page begins. */
export interface SessionQuery {
  readonly statuses: readonly SessionStatus[];
  readonly cwd: string;
  readonly search: string;
  readonly includeDeleted: boolean;
  /** Sessions that need attention first, instead of the latest first. */
  readonly byAttention: boolean;
  readonly pageSize: number;
  readonly pageToken: string;
}

/** A page of sessions. */
export interface Listing {
  readonly sessions: readonly SessionRecord[];
  readonly nextPageToken: string;
}

const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;

/** The order of attention: questions first, then sessions and turns that failed, then running turns. */
const URGENCY = `CASE status WHEN ${SessionStatus.ASKING} THEN 0 WHEN ${SessionStatus.FAILED} THEN 1
  WHEN ${SessionStatus.IDLE} THEN iif(turn_failure = '', 3, 1) ELSE 2 END`;

/** Reads a page; pages stay consistent while sessions come and go, since each starts after the last one seen. */
export function listSessions(db: Database, query: SessionQuery): Listing {
  const size = Math.min(query.pageSize || DEFAULT_PAGE, MAX_PAGE);
  const rank = query.byAttention ? URGENCY : undefined;
  const conditions: [string, ...SqlValue[]][] = [
    ...(query.includeDeleted ? [] : [["deleted_ms IS NULL"] as [string]]),
    ...(query.cwd === "" ? [] : [["cwd = ?", query.cwd] as [string, SqlValue]]),
    ...(query.statuses.length === 0
      ? []
      : [
          [`status IN (${query.statuses.map(() => "?").join(", ")})`, ...query.statuses] as [
            string,
            ...SqlValue[],
          ],
        ]),
    ...words(query.search).map(wordCondition),
    ...(query.pageToken === "" ? [] : [afterCondition(rank, query.pageToken)]),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}` : "";
  const values = conditions.flatMap(([, ...given]) => given);
  // All sessions are in an index in this order; finding a few of them through it (`+` prevents that) takes twice as long.
  const isWhole = query.cwd === "" && query.search === "" && query.statuses.length === 0;
  const order = `${rank ? "rank, " : ""}${isWhole ? "" : "+"}updated_ms DESC, id`;
  const sql = `${SELECT_SESSIONS.replace(" FROM", `, ${rank ?? "0"} AS rank FROM`)} ${where} ORDER BY ${order} LIMIT ?`;
  const rows = db.statement(sql).all(...values, size + 1) as unknown as (SessionRecord & { rank: number })[];
  const sessions = rows.slice(0, size);
  const last = sessions.at(-1);
  return {
    sessions,
    nextPageToken: rows.length > size && last ? tokenOf([last.rank, last.updatedMs, last.id]) : "",
  };
}

type Place = readonly [rank: number, updatedMs: number, id: string];

const tokenOf = (place: Place) => Buffer.from(JSON.stringify(place)).toString("base64url");

function placeOf(token: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (Array.isArray(place) && place.length === 3)
      return [Number(place[0]), Number(place[1]), String(place[2])];
  } catch {}
  throw new DaemonError("INVALID_ARGUMENT", "the page token was not issued by this daemon");
}

function afterCondition(rank: string | undefined, token: string): [string, ...SqlValue[]] {
  const [after, updatedMs, id] = placeOf(token);
  if (rank) return [`(${rank}, -updated_ms, id) > (?, ?, ?)`, after, -updatedMs, id];
  return ["updated_ms <= ? AND (updated_ms < ? OR id > ?)", updatedMs, updatedMs, id];
}

const words = (search: string) => search.trim().split(/\s+/).filter(Boolean).slice(0, 10);

function wordCondition(word: string): [string, ...SqlValue[]] {
  const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
  return ["(title || ' ' || cwd || ' ' || first_prompt) LIKE ? ESCAPE '\\'", pattern];
}
