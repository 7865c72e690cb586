import type { Config } from "../config/config.ts";

/** The session of a database that is used if none is named. */
export function ownSession({ sessionId }: Config): string {
  return sessionId || "default";
}
