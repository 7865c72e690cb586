import { userInfo } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { HealthDetailsResponse } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Client, clientAt } from "../talk/client.ts";
import { remoteOf, tlsIn } from "../talk/remote.ts";
import { isGone } from "../talk/rpc-error.ts";
import { launchDaemon, type StartedDaemon } from "./launch.ts";
import { locationOf } from "./location.ts";

/** A client of the daemon that the environment selects, running or not. `command` becomes part of the client's name. */
export function daemonClient(io: Io, command: string): Client {
  const here = () => ({ socketPath: locationOf(io).socket, tls: () => tlsIn(io.env) });
  return clientAt(remoteOf(io) ?? here(), clientName(command));
}

/** The name by which other clients see this one. */
export const clientName = (command: string): string => `${userName()}/${command}-${process.pid}`;

/** Like `daemonClient`, but throws if the daemon is not running. */
export async function runningDaemon(io: Io, command: string): Promise<Client> {
  const client = daemonClient(io, command);
  if (await healthOf(client)) return client;
  throw await noDaemonError(io);
}

/** The error when no daemon answers. */
async function noDaemonError(io: Io): Promise<CliError> {
  const remote = remoteOf(io);
  if (remote)
    return new CliError(`no daemon answers at ${[remote.address, ...remote.others].join(" or ")}`, {
      hint: "check that it is running, listens on that port, and is reachable from here",
    });
  await checkResponsive(io);
  return new CliError(`no daemon is running in ${locationOf(io).folder}`, {
    hint: "start one: agentwire daemon start",
  });
}

/** Throws if a local daemon runs but does not answer, because another one could not start. */
async function checkResponsive(io: Io): Promise<void> {
  const location = locationOf(io);
  // Loads SQLite, which commands of a running daemon don't need.
  const { unresponsiveProcess } = await import("./unresponsive-process.ts");
  const pid = unresponsiveProcess(location);
  if (pid !== undefined)
    throw new CliError(`the daemon (process ${pid}) does not answer at ${location.socket}`, {
      hint: "stop it: agentwire daemon stop; nothing acknowledged is lost",
    });
}

/** Like `daemonClient`, but starts a daemon if none is running. */
export async function daemonOrNew(io: Io, command: string): Promise<Client> {
  const client = daemonClient(io, command);
  if (await healthOf(client)) return client;
  if (remoteOf(io)) throw await noDaemonError(io);
  const started = await launchUnlessThere(io, client, undefined);
  if (started)
    io.stderr.write(
      `${started.warnings.map((warning) => `${warning}\n`).join("")}${await introduction(io)}(started a daemon in the background; to stop it: agentwire daemon stop)\n`,
    );
  return client;
}

/** A note on the default agent for whoever starts a daemon: that it is the official one, or that it has no key; else empty. */
export async function introduction(io: Io): Promise<string> {
  const { OFFICIAL_DEFAULT, welcome } = await import("../models/welcome.ts");
  const health = await healthOf(daemonClient(io, "daemon"));
  const said = health?.agents[0]?.name === "claude" ? OFFICIAL_DEFAULT : await welcome(io);
  return said === undefined ? "" : `${said}\n`;
}

/** Starts a daemon if none answers; undefined if another process started one at the same moment. */
export async function launchUnlessThere(
  io: Io,
  client: Client,
  port: number | undefined,
): Promise<StartedDaemon | undefined> {
  await checkResponsive(io);
  try {
    return await launchDaemon(io, port);
  } catch (error) {
    const { isStoreInUse } = await import("@agentwire/daemon/store");
    if (isStoreInUse(locationOf(io).folder) && (await answersSoon(client))) return undefined;
    throw error;
  }
}

const SOON_MS = 5000;

async function answersSoon(client: Client): Promise<boolean> {
  for (const end = Date.now() + SOON_MS; Date.now() < end; await setTimeout(50))
    if (await healthOf(client)) return true;
  return false;
}

const HEALTH_MS = 10_000;

/** The daemon's health; undefined if none answers. */
export async function healthOf({ health }: Client): Promise<HealthDetailsResponse | undefined> {
  try {
    return await health.healthDetails({}, { timeoutMs: HEALTH_MS });
  } catch (error) {
    if (isGone(error) || isLate(error)) return undefined;
    throw error;
  }
}

const isLate = (error: unknown) => error instanceof ConnectError && error.code === Code.DeadlineExceeded;

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "somebody";
  }
}
