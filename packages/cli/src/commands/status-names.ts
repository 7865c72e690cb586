import { SessionStatus } from "@agentwire/api";

/** What a session is doing, by the words that people read and write. */
export const STATUS_NAMES: ReadonlyMap<string, SessionStatus> = new Map([
  ["idle", SessionStatus.IDLE],
  ["waiting", SessionStatus.WAITING],
  ["starting", SessionStatus.STARTING],
  ["running", SessionStatus.RUNNING],
  ["asking", SessionStatus.ASKING],
  ["recovering", SessionStatus.RECOVERING],
  ["failed", SessionStatus.FAILED],
]);

/** The word for a status. */
export const statusName = (status: SessionStatus): string =>
  [...STATUS_NAMES].find(([, value]) => value === status)?.[0] ?? "unknown";
