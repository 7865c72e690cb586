import type { SessionStatus } from "@agentwire/api";
import { DaemonError } from "../errors.ts";
import type { SessionRecord } from "./session-record.ts";

/** Which sessions to list, and where the page starts. */
export interface SessionQuery {
  readonly statuses: readonly SessionStatus[];
  readonly cwd: string;
  readonly search: string;
  readonly includeDeleted: boolean;
  /** Archived sessions instead of the others. */
  readonly archived: boolean;
  /** Pinned sessions and those that need attention first, instead of the latest first. */
  readonly byAttention: boolean;
  /** Only sessions to which a client whose name starts with this has sent a prompt; empty for all. */
  readonly promptedBy: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

/** A page of sessions. */
export interface Listing {
  readonly sessions: readonly SessionRecord[];
  readonly nextPageToken: string;
}

/** A session with its urgency, if the listing is sorted by attention. */
export type RankedSession = SessionRecord & { readonly rank: number };

/** The position of a session in the order of a listing. */
export type ListingPlace = readonly [rank: number, updatedMs: number, id: string];

const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;
const MAX_WORDS = 10;

/** The maximum number of sessions on a page. */
export const pageSizeOf = ({ pageSize }: SessionQuery): number =>
  Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);

/** The words to search for, each as a LIKE pattern with special characters escaped by `\`. */
export const patternsOf = ({ search }: SessionQuery): readonly string[] =>
  search
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);

/** The position after which a page starts; undefined for the first page. */
export function placeOf({ pageToken }: SessionQuery): ListingPlace | undefined {
  if (pageToken === "") return undefined;
  try {
    const place: unknown = JSON.parse(Buffer.from(pageToken, "base64url").toString("utf8"));
    if (Array.isArray(place) && place.length === 3)
      return [Number(place[0]), Number(place[1]), String(place[2])];
  } catch {}
  throw new DaemonError("INVALID_ARGUMENT", "the page token was not issued by this daemon");
}

/** Builds a page from rows, of which one more than needed was read. */
export function listingOf(rows: readonly RankedSession[], size: number): Listing {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const place: ListingPlace | undefined = last && [last.rank, last.updatedMs, last.id];
  return {
    sessions: page,
    nextPageToken:
      rows.length > size && place ? Buffer.from(JSON.stringify(place)).toString("base64url") : "",
  };
}
