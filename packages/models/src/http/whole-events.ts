import { ModelError } from "../model-error.ts";

/** More than any event of a reply takes: the largest carry a file that the model made, or what it found on the web. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;
/** More than a reply of any model takes, with a frame around every token. */
const MAX_REPLY_BYTES = 512 * 1024 * 1024;

/** The ways to write the empty line that ends an event. */
const ENDS = ["\n\n", "\r\n\r\n", "\r\r"];
const LONGEST_END = 4;

/**
 * Passes a stream of server-sent events on in pieces that end where an event does: the client looks through all it has of a line
 * again with every piece. An event or a reply without an end is an error, so that no server can fill the memory.
 */
export async function* wholeEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let begun: Buffer[] = [];
  let [eventBytes, replyBytes] = [0, 0];
  let tail = Buffer.alloc(0);
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = endOfEvents(tail, chunk);
    if (end > 0) {
      yield begun.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...begun, chunk.subarray(0, end)]);
      begun = [];
      eventBytes = 0;
    }
    if (end < chunk.length) begun.push(chunk.subarray(end));
    eventBytes += chunk.length - end;
    replyBytes += chunk.length;
    if (eventBytes > MAX_EVENT_BYTES) throw endless("an event", MAX_EVENT_BYTES);
    if (replyBytes > MAX_REPLY_BYTES) throw endless("a reply", MAX_REPLY_BYTES);
    tail = Buffer.concat([tail, chunk.subarray(-LONGEST_END)]).subarray(1 - LONGEST_END);
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** Passes a stream in another framing on as it comes, with the same limit for a reply. */
export async function* limitReply(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let replyBytes = 0;
  for await (const chunk of chunks) {
    replyBytes += chunk.length;
    if (replyBytes > MAX_REPLY_BYTES) throw endless("a reply", MAX_REPLY_BYTES);
    yield chunk;
  }
}

/** Where the last event in a piece ends, which may have begun to end in the piece before; 0 if none does. */
function endOfEvents(tail: Buffer, chunk: Buffer): number {
  const inside = lastEnd(chunk);
  if (inside > 0) return inside;
  const seam = Buffer.concat([tail, chunk.subarray(0, LONGEST_END - 1)]);
  return Math.max(0, lastEnd(seam) - tail.length);
}

function lastEnd(bytes: Buffer): number {
  return Math.max(
    ...ENDS.map((end) => {
      const at = bytes.lastIndexOf(end);
      return at < 0 ? 0 : at + end.length;
    }),
  );
}

function endless(what: string, limit: number): ModelError {
  const message = `the model's server sent ${what} of more than ${limit / 1024 / 1024} MB, so the reply was abandoned; check the base URL of its provider, such as ANTHROPIC_BASE_URL`;
  return new ModelError(null, "reply_too_large", message, { isFinal: true });
}
