import { Code, ConnectError, createContextKey } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Whether a request got as far as the code of a service. */
export const REACHED_SERVICE = createContextKey(false, {
  description: "whether the message of the request was read",
});

/** What is behind this is what is wrong with a message in protobuf's binary form. */
const PREFIX = /parse(?: |%20)binary(?::|%3A)(?: |%20)([^"\r\n]*)/;

const textOf = (why: string) => `INVALID_ARGUMENT: the request is not a valid protobuf message: ${why}`;

/** The library takes a message that it can't decode for a failure of ours; it is one of the client. */
export function blamingClient(error: ConnectError): ConnectError {
  const why = error.code === Code.Internal ? PREFIX.exec(error.rawMessage)?.[1] : undefined;
  return why === undefined ? error : new ConnectError(textOf(why), Code.InvalidArgument, error.metadata);
}

/**
 * The same for a request that no service has seen, where the library has made an answer of it already: what is wrong with the
 * message, if that is what the answer says, and the answer again.
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
