import {
  type Event,
  EventSchema,
  SessionService,
  TextDeltaSchema,
  type Watcher,
  type WatchResponse,
  WatchResponseSchema,
} from "@agentwire/api";
import { create, fromBinary, type UnknownField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";

// As an empty message, a response is its fields as they were sent: what is in them is read below.
const WATCH = { ...SessionService.method.watch, output: EmptySchema } as const;

const EVENTS = WatchResponseSchema.field.events.number;
const SEQ = EventSchema.field.seq.number;
const PARENT = EventSchema.field.parentToolUseId.number;
const TEXT_DELTA = EventSchema.field.textDelta.number;
const MESSAGE_ID = TextDeltaSchema.field.messageId.number;
const INDEX = TextDeltaSchema.field.index.number;
const TEXT = TextDeltaSchema.field.text.number;

/**
 * Watches for those who show replies as they are written. Pieces of a text that come together are one event, with the number of the last
 * of them; they are by far the most that is sent, and reading each as an event of its own takes three times as long.
 */
export function joiningWatcher(transport: Transport): Watcher {
  return {
    async *watch(request, { signal }) {
      const asked = (async function* () {
        yield request;
      })();
      const { message } = await transport.stream(WATCH, signal, undefined, undefined, asked);
      for await (const { $unknown: fields = [] } of message) yield joinedResponse(fields);
    },
  };
}

/** A response from its fields. */
export function joinedResponse(fields: readonly UnknownField[]): WatchResponse {
  const rest = new BinaryWriter();
  const events: Event[] = [];
  let open: Piece | undefined;
  const close = () => {
    if (open) events.push(eventOf(open));
    open = undefined;
  };
  for (const { no, wireType, data } of fields) {
    if (no !== EVENTS) {
      rest.tag(no, wireType).raw(data);
      continue;
    }
    const bytes = new BinaryReader(data).bytes();
    const piece = pieceIn(bytes);
    if (piece && open && isSameReply(piece, open)) {
      open.text += piece.text;
      open.seq = piece.seq;
      continue;
    }
    close();
    if (piece) open = piece;
    else events.push(fromBinary(EventSchema, bytes));
  }
  close();
  return { ...fromBinary(WatchResponseSchema, rest.finish()), events };
}

interface Piece {
  seq: string | bigint;
  parent: string;
  messageId: string;
  index: number;
  text: string;
}

const isSameReply = (one: Piece, other: Piece) =>
  one.messageId === other.messageId && one.index === other.index && one.parent === other.parent;

/** The piece of a text that an event is; undefined for any other event. */
function pieceIn(bytes: Uint8Array): Piece | undefined {
  const reader = new BinaryReader(bytes);
  const piece: Piece = { seq: 0n, parent: "", messageId: "", index: 0, text: "" };
  let isPiece = false;
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    if (no === SEQ) piece.seq = reader.uint64();
    else if (no === PARENT) piece.parent = reader.string();
    else if (no === TEXT_DELTA) {
      isPiece = true;
      readText(new BinaryReader(reader.bytes()), piece);
    } else reader.skip(wireType, no);
  }
  return isPiece ? piece : undefined;
}

function readText(reader: BinaryReader, piece: Piece): void {
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    if (no === MESSAGE_ID) piece.messageId = reader.string();
    else if (no === INDEX) piece.index = reader.uint32();
    else if (no === TEXT) piece.text = reader.string();
    else reader.skip(wireType, no);
  }
}

const eventOf = ({ seq, parent, messageId, index, text }: Piece): Event =>
  create(EventSchema, {
    seq: BigInt(seq),
    parentToolUseId: parent,
    body: { case: "textDelta", value: { messageId, index, text } },
  });
