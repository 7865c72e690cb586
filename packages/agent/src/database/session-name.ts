import type { Config } from "../config/config.ts";

/** The session of a database that is meant where none is named. */
export function ownSession({ flags }: Config): string {
  return flags.text("session-id") || "default";
}
