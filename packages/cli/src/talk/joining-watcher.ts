import {
  type Event,
  EventSchema,
  SessionService,
  type Watcher,
  type WatchResponse,
  WatchResponseSchema,
} from "@agentwire/api";
import { fromBinary, type UnknownField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { JoinedText, TextPiece } from "./text-piece.ts";

// Decoded as an empty message, a response keeps its fields as unparsed bytes, which are read below.
const WATCH = { ...SessionService.method.watch, output: EmptySchema } as const;

const EVENTS = WatchResponseSchema.field.events.number;

/**
 * A watcher for clients that show replies as they stream. Pieces of a text that arrive together become one event, with the number of
 * the last piece: they are the bulk of the traffic, and decoding each as a separate event takes many times as long.
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

/** Decodes a response from its fields. */
export function joinedResponse(fields: readonly UnknownField[]): WatchResponse {
  const rest = new BinaryWriter();
  const events: Event[] = [];
  let open: JoinedText | undefined;
  const close = () => {
    if (open) events.push(open.toEvent());
    open = undefined;
  };
  let piece = new TextPiece();
  for (const { no, wireType, data } of fields) {
    if (no !== EVENTS) {
      rest.tag(no, wireType).raw(data);
      continue;
    }
    const isPiece = piece.find(data);
    if (isPiece && open?.take(piece)) continue;
    close();
    if (isPiece) {
      open = new JoinedText(piece);
      piece = new TextPiece();
    } else events.push(fromBinary(EventSchema, new BinaryReader(data).bytes()));
  }
  close();
  return { ...fromBinary(WatchResponseSchema, rest.finish()), events };
}
