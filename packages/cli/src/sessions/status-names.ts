/** The names of session statuses in input and output. */
export const STATUS_NAMES = [
  "idle",
  "waiting",
  "starting",
  "running",
  "asking",
  "recovering",
  "failed",
] as const;
