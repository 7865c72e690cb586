/** One event of a stream of server-sent events: its name, if it has one, and its data. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const END = /\r\n\r\n|\n\n|\r\r/;
const LINE_END = /\r\n|\n|\r/;
/** What a line without a field may be: some servers put an error into a stream as it is. */
const BARE = /^[{[]/;

/** Reads events from pieces that end where an event does. Comments, by which servers keep a connection open, are left out. */
export async function* readServerEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  for await (const piece of pieces) {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("utf8");
    for (const block of text.split(END)) {
      const event = readEvent(block);
      if (event) yield event;
    }
  }
}

function readEvent(block: string): ServerEvent | undefined {
  let name = "";
  const data: string[] = [];
  for (const line of block.split(LINE_END)) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") name = value;
    else if (BARE.test(line)) data.push(line);
  }
  return data.length === 0 ? undefined : { name, data: data.join("\n") };
}

const DONE = /^\W*done\W*$/i;

/** Whether an event says that the stream is over, as OpenAI's `[DONE]` does. */
export const isDone = ({ data }: ServerEvent): boolean => DONE.test(data);
