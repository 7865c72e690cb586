import { type Event, EventSchema, TextDeltaSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

const SEQ = EventSchema.field.seq.number;
const PARENT = EventSchema.field.parentToolUseId.number;
const TEXT_DELTA = EventSchema.field.textDelta.number;
const MESSAGE_ID = TextDeltaSchema.field.messageId.number;
const INDEX = TextDeltaSchema.field.index.number;
const TEXT = TextDeltaSchema.field.text.number;

/** Iterates over the fields of an encoded message in place, without decoding unneeded ones. */
class Fields {
  bytes: Uint8Array = new Uint8Array();
  /** The number of the field, and its value if it is a number. */
  no = 0;
  value = 0;
  /** The range of its bytes, if it has any. */
  from = 0;
  to = 0;
  #at = 0;
  #end = 0;

  begin(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.varint();
    this.no = tag >>> 3;
    const wireType = tag & 7;
    if (wireType === WireType.Varint) this.value = this.varint();
    else if (wireType === WireType.LengthDelimited) {
      const length = this.varint();
      this.from = this.#at;
      this.to = this.#at + length;
      this.#at = this.to;
    } else if (wireType === WireType.Bit64) this.#at += 8;
    else if (wireType === WireType.Bit32) this.#at += 4;
    else this.#at = Number.POSITIVE_INFINITY;
    return this.#at <= this.#end;
  }

  /** Whether the message ended exactly at its expected end. */
  get isWhole(): boolean {
    return this.#at === this.#end;
  }

  varint(): number {
    let byte = this.bytes[this.#at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = this.bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * unit;
    }
    return value;
  }
}

/** A range within the bytes of an event. */
interface Place {
  from: number;
  to: number;
}

// Reused to avoid allocation; they hold no state between events.
const event = new Fields();
const delta = new Fields();

/** A piece of a reply's text, located in the bytes of an event but not decoded. */
export class TextPiece {
  bytes: Uint8Array = new Uint8Array();
  seq = 0;
  index = 0;
  readonly parent: Place = { from: 0, to: 0 };
  readonly messageId: Place = { from: 0, to: 0 };
  readonly text: Place = { from: 0, to: 0 };

  /** Locates the piece in a length-prefixed event; false if the event is of another kind or damaged. */
  find(data: Uint8Array): boolean {
    this.bytes = data;
    this.seq = 0;
    this.index = 0;
    for (const place of [this.parent, this.messageId, this.text]) place.from = place.to = 0;
    event.begin(data, 0, data.length);
    event.varint();
    let isFound = false;
    while (event.next()) {
      if (event.no === SEQ) this.seq = event.value;
      else if (event.no === PARENT) put(this.parent, event);
      else if (event.no === TEXT_DELTA) {
        this.#look(event);
        isFound = delta.isWhole;
      }
    }
    return isFound && event.isWhole;
  }

  #look({ bytes, from, to }: Fields): void {
    delta.begin(bytes, from, to);
    while (delta.next()) {
      if (delta.no === MESSAGE_ID) put(this.messageId, delta);
      else if (delta.no === INDEX) this.index = delta.value;
      else if (delta.no === TEXT) put(this.text, delta);
    }
  }
}

function put(place: Place, { from, to }: Place): void {
  place.from = from;
  place.to = to;
}

/** Consecutive pieces of one text, decoded together. */
export class JoinedText {
  readonly #first: TextPiece;
  #seq = 0;
  #text = Buffer.allocUnsafe(1024);
  #length = 0;

  constructor(first: TextPiece) {
    this.#first = first;
    this.#add(first);
  }

  /** Adds the next piece; false if it belongs to another text. */
  take(piece: TextPiece): boolean {
    const first = this.#first;
    if (
      piece.index !== first.index ||
      !isSame(piece, piece.messageId, first, first.messageId) ||
      !isSame(piece, piece.parent, first, first.parent)
    )
      return false;
    this.#add(piece);
    return true;
  }

  toEvent(): Event {
    const { parent, messageId, index } = this.#first;
    const text = this.#text.toString("utf8", 0, this.#length);
    return create(EventSchema, {
      seq: BigInt(this.#seq),
      parentToolUseId: this.#read(parent),
      body: { case: "textDelta", value: { messageId: this.#read(messageId), index, text } },
    });
  }

  #read({ from, to }: Place): string {
    return Buffer.from(this.#first.bytes.subarray(from, to)).toString();
  }

  #add({ bytes, seq, text: { from, to } }: TextPiece): void {
    const end = this.#length + to - from;
    if (end > this.#text.length) {
      const larger = Buffer.allocUnsafe(2 * end);
      this.#text.copy(larger, 0, 0, this.#length);
      this.#text = larger;
    }
    // Pieces are short, so a loop is faster than a runtime call.
    for (let at = from; at < to; at++) this.#text[this.#length++] = bytes[at] ?? 0;
    this.#seq = seq;
  }
}

function isSame(one: TextPiece, here: Place, other: TextPiece, there: Place): boolean {
  const length = here.to - here.from;
  if (there.to - there.from !== length) return false;
  for (let at = 0; at < length; at++)
    if (one.bytes[here.from + at] !== other.bytes[there.from + at]) return false;
  return true;
}
