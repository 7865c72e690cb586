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

/** What a process that starts a daemon is told by it. */
export type StartReport =
  | (Pick<RunningDaemon, "addresses" | "notice"> & { readonly warnings: readonly string[] })
  | { readonly failure: string; readonly hint?: string; readonly exitCode: number };

/** How many bytes the path of a socket may have, which the system sets. */
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
  // Where files may only grow so far, the store says that it is full.
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
    // A terminal that closes takes with it what runs in it.
    if (io.stderr.isTTY) return end();
    try {
      reload();
    } catch (error) {
      // It is in the log.
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
    });
  running.onPort = note;
  note();
  manager.ready(`listens at ${running.addresses.join(" and ")}`);
  onReady(running, warnings);
  await requested;
  const told = manager.stopping();
  // First, because the next daemon writes its own.
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

/** What the system says of files and folders that can't be used as they are. */
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

/** What people are told of a daemon that does not start. */
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
      hint: "choose another with --folder or AGENTWIRE_HOME",
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
 * Writes lines of a log to stderr. Those that can't be written, as on a full disk, are lost: a stream would be over after its
 * first error, and a file may have room again.
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
 * Takes what no boundary has caught. What was acknowledged is on disk, and an end would break off the turns of every session for
 * the fault of one: so it is logged and counted, and the daemon continues. One that fails again and again is stopped as if asked to.
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
