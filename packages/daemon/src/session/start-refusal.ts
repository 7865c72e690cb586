/** What an agent minds about the conversation that it was to begin or to take up. */
export type StartRefusal =
  /** It has one of that id already: an earlier process began it, and nobody heard of that. */
  | "taken"
  /** It knows none of that id: it was never written down, or has been cleared away. */
  | "unknown";

/** Reads what agents write when they will not start; undefined if it is about something else. */
export function startRefusal(complaint: string): StartRefusal | undefined {
  if (/session id \S+ is already in use/i.test(complaint)) return "taken";
  return /no conversation found/i.test(complaint) ? "unknown" : undefined;
}

/** Why an agent may fail to start though the next one might. */
const BAD_LUCK: ReadonlySet<string> = new Set([
  "killed",
  "no_first_line",
  "request_timeout",
  "spawn_failed",
  "output_closed",
]);

/** Whether one that did not start might do so the next time. */
export const isBadLuck = (code: string): boolean => BAD_LUCK.has(code);
