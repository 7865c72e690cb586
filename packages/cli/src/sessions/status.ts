import { SessionStatus } from "@agentwire/api";
import type { STATUS_NAMES } from "./status-names.ts";

const STATUSES: Readonly<Record<(typeof STATUS_NAMES)[number], SessionStatus>> = {
  idle: SessionStatus.IDLE,
  waiting: SessionStatus.WAITING,
  starting: SessionStatus.STARTING,
  running: SessionStatus.RUNNING,
  asking: SessionStatus.ASKING,
  recovering: SessionStatus.RECOVERING,
  failed: SessionStatus.FAILED,
};

/** The status with a given name. */
export const statusNamed = (name: string): SessionStatus | undefined =>
  new Map(Object.entries(STATUSES)).get(name);

/** The name of a status. */
export const statusName = (status: SessionStatus): string =>
  Object.entries(STATUSES).find(([, value]) => value === status)?.[0] ?? "unknown";
