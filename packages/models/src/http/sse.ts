/** A server-sent event: its name, if it has one, and its data. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** A line without a field name may be JSON: some servers put a bare error into a stream. */
const BARE = /^[{[]/;

/**
 * Reads events from chunks that end at event boundaries; yields the events of each chunk together. Comments, which servers send to keep a
 * connection open, are dropped.
 */
export async function* readServerEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ServerEvent[]> {
  for await (const piece of pieces)
    yield eventsIn(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("utf8"));
}

function eventsIn(piece: string): ServerEvent[] {
  const text = piece.includes("\r") ? piece.replace(/\r\n?/g, "\n") : piece;
  const events: ServerEvent[] = [];
  let name = "";
  let data: string | undefined;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (text.startsWith("data:", start)) data = joined(data, valueIn(text, start + 5, end));
    else if (text.startsWith("event:", start)) name = valueIn(text, start + 6, end);
    else if (end === start) {
      if (data !== undefined) events.push({ name, data });
      name = "";
      data = undefined;
    } else if (BARE.test(text[start] ?? "")) data = joined(data, text.slice(start, end));
    else if (text.slice(start, end) === "data") data = joined(data, "");
    start = end + 1;
  }
  if (data !== undefined) events.push({ name, data });
  return events;
}

const valueIn = (text: string, start: number, end: number) =>
  text.slice(text[start] === " " && start < end ? start + 1 : start, end);

const joined = (before: string | undefined, line: string) =>
  before === undefined ? line : `${before}\n${line}`;

const DONE = /^\W*done\W*$/i;

/** Whether an event marks the end of the stream, as OpenAI's `[DONE]` does. */
export const isDone = ({ data }: ServerEvent): boolean => DONE.test(data);
