/** What is known of a failed call beyond its status and type. */
export interface ModelErrorOptions extends ErrorOptions {
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly isFinal?: boolean | undefined;
}

/** A model call that failed on the provider's side or on the way there, in the words of the Messages API. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The HTTP status; null when the connection was lost or never made. */
  readonly status: number | null;
  /** The name of the error in the Messages API, such as `overloaded_error`. */
  readonly type: string;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The provider's name for the call, where it gave one. */
  readonly requestId: string | undefined;
  /** Whether another try would be in vain. */
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

/** The type of the error for a call that was never made, because nothing says who we are. */
export const MISSING_CREDENTIALS = "missing_credentials";

/** The type of the error for a call to a server of this machine that is not running. */
export const NOT_LISTENING = "not_listening";

/** A reply that ended before the model had said why it stops. */
export function streamCut(cause?: unknown): ModelError {
  const message = "the connection to the model was lost in the middle of a reply";
  return new ModelError(null, "stream_cut", message, { cause });
}
