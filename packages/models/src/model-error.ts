/** Details of a failed call beyond its status and type. */
export interface ModelErrorOptions extends ErrorOptions {
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly isFinal?: boolean | undefined;
}

/** A model call that failed at the provider or on the way there, described in terms of the Messages API. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The HTTP status; null if the connection was lost or never made. */
  readonly status: number | null;
  /** The name of the error in the Messages API, such as `overloaded_error`. */
  readonly type: string;
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** The provider's id for the call, if it sent one. */
  readonly requestId: string | undefined;
  /** Whether retrying is pointless. */
  readonly isFinal: boolean;

  constructor(status: number | null, type: string, message: string, options: ModelErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.type = type;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    this.isFinal = options.isFinal === true;
  }
}

/** The error type for a call that was never made because there are no credentials. */
export const MISSING_CREDENTIALS = "missing_credentials";

/** The error type for a call to a server on this machine that is not running. */
export const NOT_LISTENING = "not_listening";

/** The error for a reply that ended without a stop reason. */
export function streamCut(cause?: unknown): ModelError {
  const message = "the connection to the model was lost in the middle of a reply";
  return new ModelError(null, "stream_cut", message, { cause });
}
