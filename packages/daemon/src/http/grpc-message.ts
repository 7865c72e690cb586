/** What has no place in a header as it is: all but printable ASCII, and the sign that begins an escape. */
const ESCAPED = /[^\x20-\x24\x26-\x7e]+/gu;

/** A text for the header `grpc-message`, escaped where gRPC wants it and nowhere else: not every client undoes more. */
export const grpcMessage = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, "\ufffd").replace(ESCAPED, (part) => encodeURIComponent(part));
