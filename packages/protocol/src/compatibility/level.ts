/** How far an agent can be relied on; the numbers are those of `CompatibilityLevel` in the daemon's contract. */
export const COMPATIBILITY_LEVELS = {
  /** Nothing is known about the agent's version. */
  UNKNOWN: 0,
  /** Within the tested range. */
  FULLY_COMPATIBLE: 1,
  /** Above the tested range, with no known problems. */
  LIKELY_COMPATIBLE: 2,
  /** Features are missing or messages were lost; workarounds are active. */
  DEGRADED: 3,
  /** Below the minimum, or absent; no session is started. */
  INCOMPATIBLE: 4,
} as const;

/** The name of a compatibility level. */
export type CompatibilityLevel = keyof typeof COMPATIBILITY_LEVELS;
