import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, renameSync, statSync } from "node:fs";
import { secureFolder } from "@agentwire/daemon/store";
import { isFolder } from "@agentwire/local/files";
import type { ExitCode } from "@agentwire/protocol/support";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type DaemonLocation, locationOf } from "./location.ts";
import type { StartReport } from "./serve.ts";

/** A daemon that has started: its addresses, and what people should know about its agent. */
export type StartedDaemon = Extract<StartReport, { addresses: unknown }>;

/** A larger log is rotated when the next daemon starts. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const START_MS = 60_000;

/** Starts a daemon that outlives this process; resolves once it is listening, rejects with the cause if it fails to start. */
export async function launchDaemon(io: Io, port: number | undefined): Promise<StartedDaemon> {
  const location = locationOf(io);
  const log = await openLog(location);
  const child = spawn(
    process.execPath,
    [
      io.program,
      "daemon",
      "start",
      "--foreground",
      // Absolute, because the daemon has another working directory.
      `--folder=${location.folder}`,
      ...(port === undefined ? [] : [`--port=${port}`]),
    ],
    { cwd: homeOf(io, location), env: { ...io.env }, detached: true, stdio: ["ignore", log, log, "ipc"] },
  );
  closeSync(log);
  try {
    const report = await startReportOf(child, location.log);
    if ("addresses" in report) return report;
    const { failure, hint, exitCode } = report;
    throw new CliError(failure, { exitCode: exitCode as ExitCode, ...(hint !== undefined && { hint }) });
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
}

async function startReportOf(child: ReturnType<typeof spawn>, log: string): Promise<StartReport> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), START_MS);
  const { signal } = late;
  try {
    const [news] = (await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]) => [ended(code, log)]),
    ])) as [StartReport];
    return news;
  } catch (error) {
    if (!signal.aborted) throw error;
    child.kill();
    return {
      failure: `the daemon did not start listening within ${START_MS / 1000} seconds`,
      hint: `see its log: ${log}`,
      exitCode: 1,
    };
  } finally {
    clearTimeout(timer);
    late.abort();
  }
}

const ended = (code: number | null, log: string): StartReport => ({
  failure: `the daemon exited during startup${code === null ? "" : ` (exit ${code})`}`,
  hint: `see its log: ${log}`,
  exitCode: code || 1,
});

/** The daemon outlives the folder it was started from, so it runs in the home folder. */
function homeOf({ env: { HOME } }: Io, { folder }: DaemonLocation): string {
  return HOME && isFolder(HOME) ? HOME : folder;
}

async function openLog({ folder, log }: DaemonLocation): Promise<number> {
  try {
    secureFolder(folder);
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_LOG_BYTES) renameSync(log, `${log}.old`);
    return openSync(log, "a", 0o600);
  } catch (error) {
    const { startFailure } = await import("./serve.ts");
    throw startFailure(error, folder);
  }
}
