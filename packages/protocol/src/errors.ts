/** The meaning of each `ProtocolError` code, one sentence each. */
export const PROTOCOL_ERRORS = {
  closed: "The connection ended before the request was answered.",
  timeout: "The peer did not answer within the deadline.",
  aborted: "The caller withdrew the request before it was answered.",
  refused: "The peer answered with an error; `errorCode` is the peer's own code if it gave one.",
  invalid_answer: "The peer answered, but the answer can't be read.",
  invalid_request: "The request is malformed and was not carried out.",
  unsupported_request: "The receiver does not support this kind of request.",
  not_writable: "The stream to the peer no longer accepts data.",
  unencodable: "The message can't be serialized as JSON and was not sent.",
} as const;

/** The reasons why talking to a peer fails. */
export type ProtocolErrorCode = keyof typeof PROTOCOL_ERRORS;

/** What a `ProtocolError` may have besides its code and text. */
export interface ProtocolErrorOptions extends ErrorOptions {
  /** The `error_code` of the peer's error answer. */
  readonly errorCode?: string;
}

/** The one error this package throws or rejects with; programs read `code`, people read the text. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: ProtocolErrorCode;
  readonly errorCode?: string;

  constructor(code: ProtocolErrorCode, message: string, options: ProtocolErrorOptions = {}) {
    super(message, options);
    this.code = code;
    if (options.errorCode !== undefined) this.errorCode = options.errorCode;
  }
}

/** The message of a thrown value of any type. */
export function errorMessage(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "a value that can't be displayed was thrown";
  }
}
