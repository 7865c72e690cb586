/** Characters that must be escaped in the header: everything but printable ASCII, and `%`. */
const ESCAPED = /[^\x20-\x24\x26-\x7e]+/gu;

/** Escapes a text for the header `grpc-message`, only where gRPC requires it, since not every client unescapes the rest. */
export const grpcMessage = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, "\ufffd").replace(ESCAPED, (part) => encodeURIComponent(part));
