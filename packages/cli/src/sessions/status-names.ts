/** What a session may be doing, in the words that people read and write. */
export const STATUS_NAMES = [
  "idle",
  "waiting",
  "starting",
  "running",
  "asking",
  "recovering",
  "failed",
] as const;
