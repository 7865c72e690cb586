import {
  type HealthDetailsResponse,
  HealthDetailsResponseSchema,
  HealthStatus,
  type SharedProcess,
} from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { toJson } from "@bufbuild/protobuf";
import type { Call } from "../command.ts";
import { plain } from "../render/plain.ts";
import { type Style, styleFor } from "../render/style.ts";
import { table } from "../render/table.ts";
import { printSpan } from "../render/time.ts";
import { remoteOf } from "../talk/remote.ts";
import { type DaemonLocation, locationOf } from "./location.ts";
import { daemonClient, healthOf } from "./reach.ts";
import { type RunFile, readRunFile } from "./run-file.ts";
import { unresponsiveProcess } from "./unresponsive-process.ts";

/** Shows whether the daemon is running and healthy. */
export async function status({ io, json }: Call): Promise<number> {
  const remote = remoteOf(io);
  const location = locationOf(io);
  const health = await healthOf(daemonClient(io, "daemon"));
  const run = health && (remote ? undefined : readRunFile(location.runFile));
  if (json) {
    const details = health && toJson(HealthDetailsResponseSchema, health);
    io.stdout.write(
      `${JSON.stringify({ running: health !== undefined, ...(remote ? { address: remote.address } : location), ...run, health: details })}\n`,
    );
  } else if (health) {
    const at = remote?.address ?? (run?.addresses ?? [location.socket]).join(" and ");
    const log = remote ? [] : [["log", location.log] as const];
    io.stdout.write(describe(health, run, [["listens on", at], ...log], styleFor(io.stdout, io.env)));
  } else if (remote) io.stdout.write(`No daemon answers at ${remote.address}.\n`);
  else io.stdout.write(`${notRunning(location)}\n`);
  return health && health.status !== HealthStatus.NOT_SERVING ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

function notRunning(location: DaemonLocation): string {
  const pid = unresponsiveProcess(location);
  return pid === undefined
    ? `No daemon is running in ${location.folder}.\n  start one: agentwire daemon start`
    : `The daemon (process ${pid}) does not answer at ${location.socket}.\n  stop it: agentwire daemon stop`;
}

const STATES: ReadonlyMap<HealthStatus, string> = new Map([
  [HealthStatus.SERVING, "runs"],
  [HealthStatus.SERVING_DEGRADED, "is running, but degraded"],
  [HealthStatus.NOT_SERVING, "is not accepting requests"],
]);

const megabytes = (bytes: bigint) => `${Math.round(Number(bytes) / 1_048_576)} MB`;

/** The state of a shared process. */
const sharedText = ({ pid, sessions, memoryBytes, eventLoopDelayMs, largestSessionBytes }: SharedProcess) =>
  `${pid}, ${sessions} ${sessions === 1 ? "session" : "sessions"}, ${megabytes(memoryBytes)}, largest session ${megabytes(largestSessionBytes)}, event loop up to ${eventLoopDelayMs} ms late`;

function describe(
  health: HealthDetailsResponse,
  run: RunFile | undefined,
  [location, ...more]: readonly (readonly [string, string])[],
  { bold, yellow }: Style,
): string {
  const { sessions, processes, store, clients } = health;
  const rows: (readonly [string, string])[] = [
    ["version", `${health.version}${run ? `, process ${run.pid}` : ""}`],
    ["up for", printSpan(Number(health.uptimeMs))],
    ...(location ? [location] : []),
    [
      "sessions",
      `${sessions?.total ?? 0} (${sessions?.running ?? 0} running, ${sessions?.asking ?? 0} asking, ${sessions?.waiting ?? 0} waiting, ${sessions?.failed ?? 0} failed)`,
    ],
    ["agents", `${processes?.running ?? 0} running of at most ${processes?.limit ?? 0}`],
    ...health.agents.map(({ name, claudeCode }): [string, string] => [
      `  ${name}`,
      plain(claudeCode?.message ?? "") || "not checked yet",
    ]),
    ...health.sharedProcesses.map((process): [string, string] => [
      "  shared process",
      process.slow ? yellow(`${sharedText(process)}: slow`) : sharedText(process),
    ]),
    ["clients", `${clients?.connected ?? 0}`],
    ["memory", megabytes(health.memoryBytes)],
    ["store", store?.message ? `${store.state}: ${plain(store.message)}` : (store?.state ?? "")],
    ...more,
  ];
  return `${bold(`The daemon ${STATES.get(health.status) ?? "is in an unknown state"}.`)}\n${table(rows.map(([name, value]) => [`  ${name}`, value]))}`;
}
