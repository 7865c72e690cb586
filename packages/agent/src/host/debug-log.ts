import { appendFileSync } from "node:fs";
import { jsonLog, type Log, silentLog } from "@agentwire/protocol/support";
import type { Config } from "../config/config.ts";
import type { HostExpectations } from "./expectations.ts";

/** The agent's own log: written to `--debug-file`, or to stderr with `--debug` (or with `--verbose`, if the host expects a log from it). */
export function debugLog(
  { debugFile, debug, verbose }: Config,
  host: { readonly expectations: HostExpectations },
  complain: (text: string) => void,
): Log {
  if (debugFile !== undefined) return jsonLog(appending(debugFile), "debug");
  if (debug) return jsonLog(complain, "debug");
  return verbose ? onlyIf(() => host.expectations.verboseLogs, jsonLog(complain, "debug")) : silentLog;
}

function appending(path: string): (line: string) => void {
  return (line) => {
    try {
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // Failing to write the log must not affect the session.
    }
  };
}

function onlyIf(isOn: () => boolean, log: Log): Log {
  const gated =
    (level: keyof Log): Log[keyof Log] =>
    (text, fields) => {
      if (isOn()) log[level](text, fields);
    };
  return { debug: gated("debug"), info: gated("info"), warn: gated("warn"), error: gated("error") };
}
