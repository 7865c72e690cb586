/** What a gateway takes at most. */
export interface GatewayLimits {
  /** The body of a request. */
  readonly maxBodyBytes: number;
  /** Calls at once, of all clients together. */
  readonly maxCalls: number;
  /** How long a provider may be silent. */
  readonly silenceMs: number;
  /** How long a call may take. */
  readonly callMs: number;
}

/** As much as the Messages API takes, more calls than a machine has agents for, and an hour for each. */
export const DEFAULT_LIMITS: GatewayLimits = {
  maxBodyBytes: 32 * 1024 * 1024,
  maxCalls: 256,
  silenceMs: 600_000,
  callMs: 3_600_000,
};
