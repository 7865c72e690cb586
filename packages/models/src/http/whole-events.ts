import { ModelError } from "../model-error.ts";

/** More than any event of a reply needs: the largest contain files that the model created or web search results. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;
/** More than a reply of any model needs, even with a frame around every token. */
const MAX_REPLY_BYTES = 512 * 1024 * 1024;

/** The forms of the empty line that ends an event. */
const ENDS = ["\n\n", "\r\n\r\n", "\r\r"];
const LONGEST_END = 4;

/**
 * Regroups a stream of server-sent events into chunks that end at event boundaries: the client scans an incomplete line again with every
 * chunk. An endless event or reply is an error, so that no server can exhaust the memory.
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

/** Passes on a stream in another framing unchanged, with the same limit for a reply. */
export async function* limitReply(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let replyBytes = 0;
  for await (const chunk of chunks) {
    replyBytes += chunk.length;
    if (replyBytes > MAX_REPLY_BYTES) throw endless("a reply", MAX_REPLY_BYTES);
    yield chunk;
  }
}

/** Where the last event in a chunk ends; its terminator may have started in the previous chunk. 0 if no event ends. */
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
