import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { refuseAddress, refuseHost } from "./address.ts";

/** Limits that end a request early. */
export interface RequestLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The decompressed answer of a server. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly location: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
}

const HEADERS = {
  accept: "text/markdown, text/html, text/plain, application/json;q=0.9, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "agentwire-agent (+WebFetch)",
};

/** Sends one request. Rejects if the address is refused, if the answer is too long, or when the signal fires. */
export async function request(url: URL, { maxBytes, signal }: RequestLimits): Promise<Answer> {
  const refusal = refuseHost(url.hostname);
  if (refusal !== undefined) throw new Error(refusal);
  const answer = await open(url, signal);
  try {
    const body = await readBody(answer, maxBytes, signal);
    const { statusCode = 0, statusMessage = "", headers } = answer;
    const contentType = headers["content-type"] ?? "";
    return { status: statusCode, statusText: statusMessage, location: headers.location, contentType, body };
  } finally {
    answer.destroy();
  }
}

async function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const lookup = await checkedLookup();
  const { get } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
  return new Promise((resolve, reject) => {
    get(url, { headers: HEADERS, lookup, signal, agent: false }, resolve).on("error", reject);
  });
}

// Checked when the connection is made: a name may resolve differently on the next lookup.
async function checkedLookup(): Promise<LookupFunction> {
  const dns = await import("node:dns");
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "");
      const refusal = addresses
        .map(({ address }) => refuseAddress(hostname, address))
        .find((text) => text !== undefined);
      if (refusal !== undefined) return callback(new Error(refusal), "");
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else
        callback(first ? null : new Error(`${hostname} has no address`), first?.address ?? "", first?.family);
    });
  };
}

async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const unpacked = await unpack(answer);
  const stop = () => unpacked.destroy();
  signal.addEventListener("abort", stop);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Counted after decompression, so that a small answer can't become a huge one.
      if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes / 1024 / 1024} MB`);
      chunks.push(chunk);
    }
    signal.throwIfAborted();
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener("abort", stop);
    unpacked.destroy();
  }
}

async function unpack(answer: IncomingMessage): Promise<NodeJS.ReadableStream & { destroy(): void }> {
  const { pipeline } = await import("node:stream");
  const zlib = await import("node:zlib");
  const decoders = new Map([
    ["gzip", zlib.createGunzip],
    ["deflate", zlib.createInflate],
    ["br", zlib.createBrotliDecompress],
  ]);
  const create = decoders.get(answer.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  if (!create) return answer;
  const decoder = create();
  // The reader of the decoder gets the errors.
  pipeline(answer, decoder, () => {});
  return decoder;
}
