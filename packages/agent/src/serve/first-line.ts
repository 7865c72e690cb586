import { Readable } from "node:stream";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { dialectOfHostLine } from "@agentwire/protocol/dialect";

/** The maximum length of a first line that can be a request. */
const MAX_CHARS = 1024 * 1024;

/** An input whose first line has been inspected and put back. */
export interface SeenInput {
  readonly input: Readable;
  /** Whether it is JSON-RPC, or a batch of it: then a host is speaking, even if the command line does not say so. */
  readonly isJsonRpc: boolean;
  /** Whether it is the first request of an editor, in the Agent Client Protocol. */
  readonly isAcp: boolean;
}

/** Inspects the first line of an input without consuming it. */
export async function seeFirstLine(input: Readable): Promise<SeenInput> {
  const chunks: Buffer[] = [];
  let head = "";
  for (;;) {
    const chunk = await nextChunk(input);
    if (chunk === undefined) break;
    chunks.push(chunk);
    head += chunk.toString("utf8");
    if (!mayBeJson(head) || /\n/.test(head.trimStart()) || head.length > MAX_CHARS) break;
  }
  const [line = ""] = head.trimStart().split("\n", 1);
  const requests = mayBeJson(line) ? requestsIn(line) : [];
  return {
    input: withAgain(input, chunks),
    isJsonRpc: requests.length > 0,
    isAcp: requests.some((request) => dialectOfHostLine(request)?.name === "acp"),
  };
}

/** An input that has ended does not accept `unshift`. */
function withAgain(input: Readable, chunks: readonly Buffer[]): Readable {
  if (input.readableEnded) return Readable.from(chunks);
  if (chunks.length > 0) input.unshift(Buffer.concat(chunks));
  return input;
}

const mayBeJson = (head: string) => /^\s*(?:[[{]|$)/.test(head);

function requestsIn(line: string): readonly JsonObject[] {
  try {
    const value: unknown = JSON.parse(line);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isJsonObject).filter((one) => "jsonrpc" in one);
  } catch {
    return [];
  }
}

/** The next chunk; undefined at the end. */
function nextChunk(input: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      input.off("readable", look).off("end", ended).off("error", failed);
      done();
    };
    const ended = () => settle(() => resolve(undefined));
    const failed = (error: Error) => settle(() => reject(error));
    const look = () => {
      const chunk: unknown = input.read();
      if (chunk instanceof Buffer) settle(() => resolve(chunk));
      else if (input.readableEnded) ended();
    };
    input.on("readable", look).on("end", ended).on("error", failed);
    look();
  });
}
