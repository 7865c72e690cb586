import { type DescMethod, fromBinary, fromJsonString, type Message } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

/** Where the daemon is reached. */
export interface Place {
  readonly name: "the socket" | "a port" | "a port with TLS";
  /** As clients write it; the host is what the certificate is for. */
  readonly url: URL;
  readonly socketPath?: string;
  /** The file of the authority that has signed the daemon's certificate. */
  readonly ca?: string;
}

/** One call, with everything that a client of any protocol may need. */
export interface Call {
  readonly method: DescMethod;
  /** The path, where it is not that of the method. */
  readonly path: string;
  /** What is sent, in binary form: mostly what the messages are. */
  readonly bytes: readonly Uint8Array[];
  /** The same as JSON; undefined for what has no such form. */
  readonly json: readonly string[] | undefined;
  readonly token: string | undefined;
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** How a call ended, 0 for well, and what came before. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly answers: readonly Message[];
}

/** A client that nobody here has written, or that knows nothing of our code. */
export interface ForeignClient {
  readonly name: string;
  call(place: Place, call: Call): Promise<Outcome>;
  close(): void;
}

/** A message as it goes into a stream: one byte of flags, four of length. */
export function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** What came in a stream, with the flags of each piece. */
export function unframed(bytes: Buffer): readonly { readonly flags: number; readonly data: Buffer }[] {
  const frames: { flags: number; data: Buffer }[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    frames.push({ flags: bytes.readUInt8(at), data: bytes.subarray(at + 5, end) });
    at = end;
  }
  return frames;
}

export const fromBytes = ({ method }: Call, bytes: Uint8Array): Message => fromBinary(method.output, bytes);
export const fromText = ({ method }: Call, json: string): Message => fromJsonString(method.output, json);

/** An error of Connect, as its JSON says it. */
export function toldBy({ code = "unknown", message = "" }: { code?: string; message?: string }) {
  return { code: CODES.get(code) ?? Code.Unknown, text: message };
}

const CODES: ReadonlyMap<string, Code> = new Map(
  Object.entries(Code)
    .filter((entry): entry is [string, Code] => typeof entry[1] === "number")
    .map(([name, code]) => [name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(), code]),
);
