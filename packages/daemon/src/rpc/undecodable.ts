import { Code, ConnectError, createContextKey } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Whether a request reached the implementation of a service. */
export const REACHED_SERVICE = createContextKey(false, {
  description: "whether the message of the request was read",
});

/** Precedes the reason in the library's error for an invalid protobuf message. */
const PREFIX = /parse(?: |%20)binary(?::|%3A)(?: |%20)([^"\r\n]*)/;

const textOf = (why: string) => `INVALID_ARGUMENT: the request is not a valid protobuf message: ${why}`;

/** Blames the client for a message that can't be decoded; the library reports it as an internal error. */
export function blamingClient(error: ConnectError): ConnectError {
  const why = error.code === Code.Internal ? PREFIX.exec(error.rawMessage)?.[1] : undefined;
  return why === undefined ? error : new ConnectError(textOf(why), Code.InvalidArgument, error.metadata);
}

/**
 * The same for a request that did not reach a service, for which the library has already built the response: returns the reason
 * if the response is such an error, and the response, whose body can be read again.
 */
export async function undecodable(
  answer: UniversalServerResponse,
): Promise<{ readonly why?: string; readonly answer: UniversalServerResponse }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) chunks.push(chunk);
  const told = `${answer.trailer?.get("grpc-message") ?? ""}\n${Buffer.concat(chunks).toString("latin1")}`;
  const why = PREFIX.exec(told)?.[1];
  return why === undefined
    ? { answer: { ...answer, ...(answer.body && { body: again(chunks) }) } }
    : { why: textOf(decodeURIComponent(why)), answer };
}

async function* again(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
