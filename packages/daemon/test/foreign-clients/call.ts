import { type DescMethod, fromBinary, fromJsonString, type Message } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

/** An address of the daemon. */
export interface Place {
  readonly name: "the socket" | "a port" | "a port with TLS";
  /** As clients write it; the certificate is for its host. */
  readonly url: URL;
  readonly socketPath?: string;
  /** The certificate file of the authority that signed the daemon's certificate. */
  readonly ca?: string;
}

/** One call, with everything that a client of any protocol may need. */
export interface Call {
  readonly method: DescMethod;
  /** The path, if it differs from the method's. */
  readonly path: string;
  /** The messages to send, in binary form. */
  readonly bytes: readonly Uint8Array[];
  /** The same as JSON; undefined if there is no such form. */
  readonly json: readonly string[] | undefined;
  readonly token: string | undefined;
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** How a call ended, with code 0 for success, and the answers before that. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly answers: readonly Message[];
}

/** A client from elsewhere, or one that uses none of our code. */
export interface ForeignClient {
  readonly name: string;
  call(place: Place, call: Call): Promise<Outcome>;
  close(): void;
}

/** A message as framed in a stream: one byte of flags, four of length. */
export function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** The frames of a stream, with their flags. */
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

/** A Connect error, from its JSON form. */
export function toldBy({ code = "unknown", message = "" }: { code?: string; message?: string }) {
  return { code: CODES.get(code) ?? Code.Unknown, text: message };
}

const CODES: ReadonlyMap<string, Code> = new Map(
  Object.entries(Code)
    .filter((entry): entry is [string, Code] => typeof entry[1] === "number")
    .map(([name, code]) => [name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(), code]),
);
