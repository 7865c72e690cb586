import { EventSchema } from "@agentwire/api";
import { create, toBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { StoredEvent } from "../store/checked-event.ts";
import type { Draft } from "../store/draft.ts";
import type { RawLines } from "../store/raw-lines.ts";
import type { Write } from "../store/write.ts";
import { PieceEncoder } from "./piece-encoder.ts";

/** Numbered events, and the writes that store them. */
export interface Numbered {
  readonly events: readonly StoredEvent[];
  readonly writes: readonly Write[];
}

/** Numbers the events of one session; each session has its own, so numbers need no lock. */
export class Numbering {
  readonly #sessionId: string;
  readonly #rawLines: RawLines;
  /** The number of the first stored piece of each unfinished reply. */
  readonly #firstPieces = new Map<string, number>();
  readonly #pieceEncoder: PieceEncoder;
  #lastSeq: number;

  constructor(sessionId: string, lastSeq: number, rawLines: RawLines) {
    this.#sessionId = sessionId;
    this.#pieceEncoder = new PieceEncoder(sessionId);
    this.#rawLines = rawLines;
    this.#lastSeq = lastSeq;
  }

  /** The last number that was assigned. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Numbers and encodes events, each only once for the log and all watchers. */
  number(drafts: readonly Draft[], nowMs: number): Numbered {
    const sessionId = this.#sessionId;
    const events: StoredEvent[] = [];
    const writes: Write[] = [];
    const first = this.#lastSeq + 1;
    const froms = drafts.map((draft, index) => this.#pieces(draft, first + index));
    const bodies = this.#encoded(drafts, froms, timestampFromMs(nowMs));
    for (const [index, draft] of drafts.entries()) {
      const seq = ++this.#lastSeq;
      const from = froms[index];
      const body = bodies[index] as Uint8Array;
      events.push({ seq, body });
      writes.push({ type: "appendEvent", sessionId, seq, body, deltaOf: draft.deltaOf });
      if (draft.line !== undefined) writes.push(...this.#rawLines.keep(seq, draft.line));
      if (from !== undefined && draft.finishes !== undefined)
        writes.push({ type: "dropDeltas", sessionId, from, before: seq, deltaOf: draft.finishes });
    }
    return { events, writes };
  }

  #encoded(
    drafts: readonly Draft[],
    froms: readonly (number | undefined)[],
    time: Timestamp,
  ): readonly Uint8Array[] {
    const bodies: Uint8Array[] = [];
    this.#pieceEncoder.begin(time);
    for (const [index, draft] of drafts.entries()) {
      const seq = this.#lastSeq + 1 + index;
      const give = (body: Uint8Array) => {
        bodies[index] = body;
      };
      const from = froms[index];
      if (from !== undefined || !this.#pieceEncoder.add(draft, seq, give))
        give(
          toBinary(
            EventSchema,
            create(EventSchema, {
              sessionId: this.#sessionId,
              seq: BigInt(seq),
              time,
              body: draft.body,
              ...(draft.parent !== undefined && { parentToolUseId: draft.parent }),
              ...(draft.messageId !== undefined && { agentMessageId: draft.messageId }),
              ...(from !== undefined && { supersedesFrom: BigInt(from) }),
            }),
          ),
        );
    }
    this.#pieceEncoder.end();
    return bodies;
  }

  /** Remembers where the deltas of a reply begin; returns the first of those that this event replaces. */
  #pieces({ deltaOf, finishes, body }: Draft, seq: number): number | undefined {
    // The deltas of an unfinished reply stay: nothing replaces them.
    if (body.case === "turnComplete") this.#firstPieces.clear();
    if (deltaOf !== undefined && !this.#firstPieces.has(deltaOf)) this.#firstPieces.set(deltaOf, seq);
    if (finishes === undefined) return undefined;
    const first = this.#firstPieces.get(finishes);
    this.#firstPieces.delete(finishes);
    return first;
  }
}
