import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { jsonLog, type Log, silentLog } from "@agentwire/protocol";
import type { Config } from "./config.ts";

/** The agent's own log: into `--debug-file`, on stderr with `--debug`, else nowhere. */
export function debugLog({ flags, cwd }: Config, complain: (text: string) => void): Log {
  const file = flags.text("debug-file");
  if (file === undefined || file === "") return flags.has("debug") ? jsonLog(complain, "debug") : silentLog;
  const path = resolve(cwd, file);
  return jsonLog((line) => {
    try {
      appendFileSync(path, line);
    } catch {
      // A log that can't be written must not end what it tells about.
    }
  }, "debug");
}
