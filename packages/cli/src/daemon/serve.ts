import { once } from "node:events";
import { fstatSync, writeSync } from "node:fs";
import {
  AgentUnusable,
  type RunningDaemon,
  StoreError,
  startDaemon,
  UnusableFolder,
} from "@agentwire/daemon";
import { adjustableLog, SettingsError, type SettingsNews } from "@agentwire/daemon/settings";
import { EXIT_CODES, type Log } from "@agentwire/protocol/support";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { VERSION } from "../version.ts";
import { listenFailure } from "./listen-failure.ts";
import { LiveSettings } from "./live-settings.ts";
import { locationOf } from "./location.ts";
import { removeRunFile, writeRunFile } from "./run-file.ts";
import { ServiceManager } from "./service-manager.ts";

/** What a daemon reports to the process that started it. */
export type StartReport =
  | (Pick<RunningDaemon, "addresses" | "notice"> & { readonly warnings: readonly string[] })
  | { readonly failure: string; readonly hint?: string; readonly exitCode: number };

/** The system's limit on the length of a socket path. */
const MAX_SOCKET_BYTES = process.platform === "linux" ? 107 : 103;

/** Runs a daemon in this process until it is told to stop. */
export async function serve(
  io: Io,
  port: number | undefined,
  onReady: (running: RunningDaemon, warnings: readonly string[]) => void,
): Promise<void> {
  const stop = new AbortController();
  const hurry = new AbortController();
  const requested = once(stop.signal, "abort");
  // A second signal means: do not wait.
  const end = () => (stop.signal.aborted ? hurry : stop).abort();
  process.on("SIGINT", end).on("SIGTERM", end);
  // Without a handler, a file size limit would end the process; with one, the store reports that it is full.
  process.on("SIGXFSZ", () => {});
  const location = locationOf(io);
  const defaultLevel = io.stderr.isTTY ? "warn" : "info";
  const { log, setLevel } = adjustableLog(logLines(io), defaultLevel);
  const manager = new ServiceManager(io, log);
  const settings = new LiveSettings(io, port, log, (level) => setLevel(level ?? defaultLevel));
  const { running, warnings } = await start(io, port, settings, log);
  catchUnhandled(running, () => stop.abort());
  const reload = (): SettingsNews => {
    manager.reloading();
    try {
      return settings.reload(running.daemon);
    } finally {
      running.renew();
      manager.ready("settings reloaded");
    }
  };
  running.daemon.reloadSettings = (options) =>
    options.isDryRun ? settings.compare(running.daemon, options) : reload();
  process.on("SIGHUP", () => {
    // A closing terminal ends what runs in it.
    if (io.stderr.isTTY) return end();
    try {
      reload();
    } catch (error) {
      // Already logged.
      if (!(error instanceof SettingsError)) throw error;
    }
  });
  const startedAt = new Date().toISOString();
  const note = () =>
    writeRunFile(location.runFile, {
      pid: process.pid,
      version: VERSION,
      addresses: running.addresses,
      startedAt,
      ...(port !== undefined && { port }),
    });
  running.onPort = note;
  note();
  manager.ready(`listens on ${running.addresses.join(" and ")}`);
  onReady(running, warnings);
  await requested;
  const told = manager.stopping();
  // First, because the next daemon writes its own file.
  removeRunFile(location.runFile);
  await Promise.all([told, running.stop(running.daemon.config.drainMs, hurry.signal)]);
}

async function start(
  io: Io,
  port: number | undefined,
  settings: LiveSettings,
  log: Log,
): Promise<{ readonly running: RunningDaemon; readonly warnings: readonly string[] }> {
  const location = locationOf(io);
  if (Buffer.byteLength(location.socket) > MAX_SOCKET_BYTES)
    throw new CliError(`the socket path is too long: ${location.socket}`, {
      exitCode: EXIT_CODES.badConfig,
      hint: `choose a shorter folder with --folder or AGENTWIRE_HOME: the limit is ${MAX_SOCKET_BYTES} bytes`,
    });
  try {
    const { config, warnings } = settings.apply();
    const running = await startDaemon(config, log).catch((error: unknown) => {
      throw listenFailure(error, { port, config, file: location.settings }) ?? error;
    });
    return { running, warnings };
  } catch (error) {
    throw startFailure(error, location.folder);
  }
}

/** The system's error codes for files and folders that can't be used. */
const UNUSABLE: ReadonlySet<unknown> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOTDIR",
  "EISDIR",
  "ERR_FS_EISDIR",
  "EEXIST",
  "ELOOP",
  "ENAMETOOLONG",
]);

/** Turns the failure of a daemon to start into an error for people. */
export function startFailure(error: unknown, folder: string): unknown {
  if (error instanceof AgentUnusable)
    return new CliError(error.message, {
      exitCode: error.exitCode,
      hint: "find agents: agentwire doctor; add others in settings.json",
      cause: error,
    });
  if (error instanceof UnusableFolder)
    return new CliError(error.message, {
      exitCode: EXIT_CODES.badConfig,
      hint: "--folder or AGENTWIRE_HOME sets another",
      cause: error,
    });
  if (error instanceof SettingsError)
    return new CliError(error.message, { exitCode: EXIT_CODES.badConfig, cause: error });
  if (error instanceof StoreError) return new CliError(error.message, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new CliError(`no space left for ${folder}: ${message}`, {
      hint: "free some, or choose another folder with --folder or AGENTWIRE_HOME",
      cause: error,
    });
  if (UNUSABLE.has(code))
    return new CliError(`the folder ${folder} can't be used: ${message}`, {
      exitCode: EXIT_CODES.badConfig,
      hint: "take ownership of it, or choose another with --folder or AGENTWIRE_HOME",
      cause: error,
    });
  return error;
}

/**
 * Writes log lines to stderr. Lines that can't be written, as on a full disk, are dropped; a stream would stay closed after its
 * first error, although the disk may have space again.
 */
function logLines({ stderr }: Pick<Io, "stderr">): (line: string) => void {
  if (!fstatSync(stderr.fd).isFile()) return (line) => void stderr.write(line);
  let isWhole = true;
  return (line) => {
    const bytes = Buffer.from(isWhole ? line : `\n${line}`);
    try {
      isWhole = writeSync(stderr.fd, bytes) === bytes.length;
    } catch {
      isWhole = false;
    }
  };
}

/** More unhandled failures than this in a minute stop the daemon. */
const MAX_IN_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/**
 * Handles errors that no boundary has caught. Everything acknowledged is on disk, and exiting would interrupt the turns of every
 * session because of one: so they are logged and counted, and the daemon continues. If they keep coming, it stops as if asked to.
 */
function catchUnhandled({ daemon }: RunningDaemon, stop: () => void): void {
  let failures: readonly number[] = [];
  const failed = (error: unknown) => {
    const now = performance.now();
    failures = [...failures.filter((at) => now - at < MINUTE_MS), now];
    daemon.report("unknown", error);
    if (failures.length > MAX_IN_A_MINUTE) stop();
  };
  process.on("uncaughtException", failed).on("unhandledRejection", failed);
}
