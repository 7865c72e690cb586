import { once } from "node:events";
import {
  AgentUnusable,
  defaultConfig,
  type RunningDaemon,
  readSettings,
  SettingsError,
  StoreError,
  startDaemon,
  UnsafeFolder,
} from "@agentwire/daemon";
import { EXIT_CODES, jsonLog } from "@agentwire/protocol";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { VERSION } from "../version.ts";
import { placeOf } from "./place.ts";
import { removeRunFile, writeRunFile } from "./run-file.ts";

/** What a process that starts a daemon is told by it. */
export type Birth =
  | Pick<RunningDaemon, "addresses" | "notice">
  | { readonly failure: string; readonly hint?: string; readonly exitCode: number };

/** How many bytes the path of a socket may have, which the system sets. */
const MAX_SOCKET_BYTES = process.platform === "linux" ? 107 : 103;

/** Runs a daemon in this process until it is told to stop. */
export async function serve(
  io: Io,
  port: number | undefined,
  onBirth: (running: RunningDaemon) => void,
): Promise<void> {
  const stop = new AbortController();
  const requested = once(stop.signal, "abort");
  const end = () => stop.abort();
  process.on("SIGINT", end).on("SIGTERM", end);
  const place = placeOf(io);
  const running = await start(io, port);
  writeRunFile(place.runFile, {
    pid: process.pid,
    version: VERSION,
    addresses: running.addresses,
    startedAt: new Date().toISOString(),
  });
  onBirth(running);
  await requested;
  // First, for whoever starts the next one writes its own.
  removeRunFile(place.runFile);
  await running.stop();
}

async function start(io: Io, port: number | undefined): Promise<RunningDaemon> {
  const place = placeOf(io);
  const log = jsonLog((line) => void io.stderr.write(line), io.stderr.isTTY ? "warn" : "info");
  if (Buffer.byteLength(place.socket) > MAX_SOCKET_BYTES)
    throw new CliError(`the path of the socket is too long: ${place.socket}`, {
      exitCode: EXIT_CODES.badConfig,
      hint: `choose a shorter folder with --folder or AGENTWIRE_HOME: the system takes ${MAX_SOCKET_BYTES} bytes`,
    });
  try {
    const { config, warnings } = readSettings(place.settings, defaultConfig(io.env, io.cwd));
    for (const warning of warnings) log.warn(warning);
    return await startDaemon(port === undefined ? config : { ...config, port }, log);
  } catch (error) {
    throw startFailure(error, place.folder);
  }
}

/** What people are told of a daemon that does not start. */
export function startFailure(error: unknown, folder: string): unknown {
  if (error instanceof AgentUnusable)
    return new CliError(error.message, {
      exitCode: error.exitCode,
      hint: "agentwire doctor looks for agents; settings.json names others",
      cause: error,
    });
  if (error instanceof SettingsError || error instanceof UnsafeFolder)
    return new CliError(error.message, { exitCode: EXIT_CODES.badConfig, cause: error });
  if (error instanceof StoreError) return new CliError(error.message, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new CliError(`the port is taken: ${message}`, {
      hint: "choose another with --port, or 0 for any",
      cause: error,
    });
  if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ENOTDIR" || code === "EEXIST")
    return new CliError(`the folder ${folder} can't be used: ${message}`, {
      exitCode: EXIT_CODES.badConfig,
      hint: "make it yours, or choose another with --folder or AGENTWIRE_HOME",
      cause: error,
    });
  return error;
}
