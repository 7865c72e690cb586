/** The limits of a gateway. */
export interface GatewayLimits {
  /** The maximum size of a request body. */
  readonly maxBodyBytes: number;
  /** The maximum number of concurrent calls of all clients together. */
  readonly maxCalls: number;
  /** How long a provider may send nothing. */
  readonly silenceMs: number;
  /** How long a call may take. */
  readonly callMs: number;
}

/** The body limit of the Messages API, more calls than a machine has agents for, and an hour for each. */
export const DEFAULT_LIMITS: GatewayLimits = {
  maxBodyBytes: 32 * 1024 * 1024,
  maxCalls: 256,
  silenceMs: 600_000,
  callMs: 3_600_000,
};
