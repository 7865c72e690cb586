import { type HealthDetailsResponse, HealthDetailsResponseSchema, HealthStatus } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol";
import { toJson } from "@bufbuild/protobuf";
import type { Call } from "../command.ts";
import { plain } from "../render/plain.ts";
import { type Style, styleFor } from "../render/style.ts";
import { table } from "../render/table.ts";
import { printSpan } from "../render/time.ts";
import { type Place, placeOf } from "./place.ts";
import { daemonClient, healthOf } from "./reach.ts";
import { type RunFile, readRunFile } from "./run-file.ts";

/** Shows whether the daemon runs, and how it is. */
export async function status({ io, json }: Call): Promise<number> {
  const place = placeOf(io);
  const health = await healthOf(daemonClient(io, "daemon"));
  const run = health && readRunFile(place.runFile);
  if (json) {
    const details = health && toJson(HealthDetailsResponseSchema, health);
    io.stdout.write(
      `${JSON.stringify({ running: health !== undefined, ...place, ...run, health: details })}\n`,
    );
  } else if (health) io.stdout.write(describe(health, place, run, styleFor(io.stdout, io.env)));
  else io.stdout.write(`No daemon runs in ${place.folder}.\n  start one: agentwire daemon start\n`);
  return health && health.status !== HealthStatus.NOT_SERVING ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

const STATES: ReadonlyMap<HealthStatus, string> = new Map([
  [HealthStatus.SERVING, "runs"],
  [HealthStatus.SERVING_DEGRADED, "runs, but not everything works"],
  [HealthStatus.NOT_SERVING, "takes nothing now"],
]);

function describe(
  health: HealthDetailsResponse,
  place: Place,
  run: RunFile | undefined,
  { bold }: Style,
): string {
  const { sessions, processes, store, clients } = health;
  const rows: [string, string][] = [
    ["version", `${health.version}${run ? `, process ${run.pid}` : ""}`],
    ["up for", printSpan(Number(health.uptimeMs))],
    ["listens at", (run?.addresses ?? [place.socket]).join(" and ")],
    [
      "sessions",
      `${sessions?.total ?? 0} (${sessions?.running ?? 0} running, ${sessions?.asking ?? 0} asking, ${sessions?.waiting ?? 0} waiting, ${sessions?.failed ?? 0} failed)`,
    ],
    ["agents", `${processes?.running ?? 0} running of at most ${processes?.limit ?? 0}`],
    ...health.agents.map(({ name, claudeCode }): [string, string] => [
      `  ${name}`,
      plain(claudeCode?.message ?? "") || "not looked at yet",
    ]),
    ["clients", `${clients?.connected ?? 0}`],
    ["memory", `${Math.round(Number(health.memoryBytes) / 1_048_576)} MB`],
    ["store", store?.message ? `${store.state}: ${plain(store.message)}` : (store?.state ?? "")],
    ["log", place.log],
  ];
  return `${bold(`The daemon ${STATES.get(health.status) ?? "is in an unknown state"}.`)}\n${table(rows.map(([name, value]) => [`  ${name}`, value]))}`;
}
