import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { StoredEvent } from "../store/checked-event.ts";
import type { Draft } from "../store/draft.ts";
import type { RawLines } from "../store/raw-lines.ts";
import type { Write } from "../store/write.ts";

/** Events with their numbers, and what puts them into the log. */
export interface Numbered {
  readonly events: readonly StoredEvent[];
  readonly writes: readonly Write[];
}

/** Numbers the events of one session; there is one for each session, so numbers need no lock. */
export class Numbering {
  readonly #sessionId: string;
  readonly #rawLines: RawLines;
  /** The number of the first stored piece of each unfinished reply. */
  readonly #firstPieces = new Map<string, number>();
  #lastSeq: number;

  constructor(sessionId: string, lastSeq: number, rawLines: RawLines) {
    this.#sessionId = sessionId;
    this.#rawLines = rawLines;
    this.#lastSeq = lastSeq;
  }

  /** The last number that was assigned. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Numbers and encodes events, each of them once for the log and for everyone who watches. */
  number(drafts: readonly Draft[], nowMs: number): Numbered {
    const sessionId = this.#sessionId;
    const events: StoredEvent[] = [];
    const writes: Write[] = [];
    for (const draft of drafts) {
      const seq = ++this.#lastSeq;
      const from = this.#pieces(draft, seq);
      const body = toBinary(
        EventSchema,
        create(EventSchema, {
          sessionId,
          seq: BigInt(seq),
          time: timestampFromMs(nowMs),
          body: draft.body,
          ...(draft.parent !== undefined && { parentToolUseId: draft.parent }),
          ...(draft.messageId !== undefined && { agentMessageId: draft.messageId }),
          ...(from !== undefined && { supersedesFrom: BigInt(from) }),
        }),
      );
      events.push({ seq, body });
      writes.push({ type: "appendEvent", sessionId, seq, body, deltaOf: draft.deltaOf });
      if (draft.line !== undefined) writes.push(...this.#rawLines.keep(seq, draft.line));
      if (from !== undefined && draft.finishes !== undefined)
        writes.push({ type: "dropDeltas", sessionId, from, before: seq, deltaOf: draft.finishes });
    }
    return { events, writes };
  }

  /** Remembers where the deltas of a reply begin; returns the first of those that this event replaces. */
  #pieces({ deltaOf, finishes, body }: Draft, seq: number): number | undefined {
    // The deltas of an unfinished reply stay: they are all there is of it.
    if (body.case === "turnComplete") this.#firstPieces.clear();
    if (deltaOf !== undefined && !this.#firstPieces.has(deltaOf)) this.#firstPieces.set(deltaOf, seq);
    if (finishes === undefined) return undefined;
    const first = this.#firstPieces.get(finishes);
    this.#firstPieces.delete(finishes);
    return first;
  }
}
