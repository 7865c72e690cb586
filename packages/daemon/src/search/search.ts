import { EventSchema, type SearchHitKind } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { DaemonError } from "../errors.ts";
import { wordsOf } from "../store/search-index.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Store } from "../store/store.ts";
import { type ExcerptPart, excerptOf } from "./excerpt.ts";
import { searchableOf } from "./searchable.ts";

/** A search query. */
export interface SearchWish {
  readonly query: string;
  /** Empty for all sessions. */
  readonly sessionId: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

/** A message that contains the words. */
export interface Hit {
  readonly record: SessionRecord;
  readonly seq: number;
  readonly time: Timestamp | undefined;
  readonly kind: SearchHitKind;
  readonly excerpt: readonly ExcerptPart[];
}

const DEFAULT_PAGE = 20;
const MAX_PAGE = 100;
const MAX_WORDS = 10;

/** Finds messages by their words, and returns each with an excerpt. */
export async function search(
  store: Store,
  { query, sessionId, pageSize, pageToken }: SearchWish,
): Promise<{ readonly hits: readonly Hit[]; readonly nextPageToken: string }> {
  const words = wordsOf(query).slice(0, MAX_WORDS);
  if (words.length === 0) throw new DaemonError("INVALID_ARGUMENT", "query: give a word to look for");
  const before = pageToken === "" ? 0 : Number(pageToken);
  if (!Number.isSafeInteger(before) || before < 0)
    throw new DaemonError("INVALID_ARGUMENT", "the page token was not issued by this daemon");
  const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
  const found = await store.search.find({ words, sessionId, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const ids = [...new Set(page.map((place) => place.sessionId))];
  const records = new Map(
    await Promise.all(ids.map(async (id) => [id, await store.sessions.find(id)] as const)),
  );
  const hits = await Promise.all(
    page.map(async (place): Promise<readonly Hit[]> => {
      const record = records.get(place.sessionId);
      const [stored] = await store.events.after(place.sessionId, place.seq - 1, 1);
      const event = stored && fromBinary(EventSchema, stored.body);
      const said = event && searchableOf(event);
      // It may have been pruned in the meantime.
      if (!record || !said || stored.seq !== place.seq) return [];
      return [
        {
          record,
          seq: place.seq,
          time: event.time,
          kind: said.kind,
          excerpt: excerptOf(said.text, words),
        },
      ];
    }),
  );
  return {
    hits: hits.flat(),
    nextPageToken: found.length > limit ? String(page.at(-1)?.place ?? "") : "",
  };
}
