import type { Config } from "../config/config.ts";

/** The session of a database that is meant where none is named. */
export function ownSession({ sessionId }: Config): string {
  return sessionId || "default";
}
