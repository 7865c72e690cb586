import { SessionStatus } from "@agentwire/api";
import type { ProcessLoad } from "@agentwire/host/agent";
import { COMPATIBILITY_LEVELS } from "@agentwire/protocol/compatibility";
import type { Daemon } from "../daemon.ts";
import type { AgentHealth } from "../health/agent-health.ts";
import { countSessions } from "../health/count-sessions.ts";
import { type Instrument, Reading, type Readings, type Sample } from "../metrics/instruments.ts";
import { VERSION } from "../version.ts";
import { LoopDelay } from "./loop-delay.ts";

/** The metrics that a daemon looks up when they are scraped. */
export function readings(daemon: Daemon): readonly Instrument[] {
  const { registry, slots, store, health, agents, budgets } = daemon;
  const delay = new LoopDelay();
  const gauge = (name: string, help: string, read: () => Readings) =>
    new Reading(`agentwire_${name}`, "gauge", help, read);
  const one = (name: string, help: string, read: () => number | Promise<number>) =>
    gauge(name, help, async () => [[{}, await read()]]);
  /** Counters of unknown types and tolerated parse errors, for each agent. */
  const met = (name: string, help: string, count: (agent: AgentHealth) => number) =>
    new Reading(`agentwire_${name}_total`, "counter", help, () =>
      agents.health.map((agent): Sample => [{ agent: agent.name }, count(agent)]),
    );
  /** The state of each process that sessions share. */
  const ofShared = (name: string, help: string, figure: (load: ProcessLoad) => number) =>
    gauge(`shared_process_${name}`, help, () =>
      agents.shared.load.map((load): Sample => [{ pid: String(load.pid ?? "") }, figure(load)]),
    );
  const subscribers = () => registry.live.flatMap(({ journal }) => [...journal.subscribers]);
  return [
    gauge("info", "The running version.", () => [[{ version: VERSION }, 1]]),
    one("serving", "Whether prompts are accepted.", () => (health.isServing ? 1 : 0)),
    gauge("sessions", "Sessions in memory, by status.", () => byStatus(registry.live)),
    one("sessions_stored", "All sessions that are not deleted.", () => countSessions(daemon)),
    one("processes", "Running agents, including spares.", () => slots.processes),
    one("processes_limit", "The limit of running agents.", () => slots.limit),
    one("processes_waiting", "Sessions that wait for an agent.", () => slots.waiting),
    one("clients", "Streams of watching clients.", () => subscribers().length),
    one(
      "clients_slow",
      "Streams served from the log.",
      () => subscribers().filter(({ isSlow }) => isSlow).length,
    ),
    one("store_queue_depth", "Batches being written to disk.", () => store.depth),
    one("store_bytes", "Size of the store's file.", () => store.sizeBytes),
    met("unknown_types", "Messages of unknown types.", ({ counters }) => counters.unknown_types),
    met(
      "parse_errors_tolerated",
      "Messages that could not be parsed and were skipped.",
      ({ counters }) => counters.parse_errors_tolerated,
    ),
    met(
      "parse_errors_fatal",
      "Messages that could not be parsed and failed their session.",
      ({ counters }) => counters.parse_errors_fatal,
    ),
    met("truncated_lines", "Messages truncated because they were too long.", ({ truncated }) => truncated),
    met("noise_lines", "Lines of agents that were not messages.", ({ noise }) => noise),
    gauge(
      "compatibility_level",
      "How well an agent is known: 0 unknown, 1 fully, 2 likely, 3 degraded, 4 incompatible.",
      () => agents.health.map(({ name, level }): Sample => [{ agent: name }, COMPATIBILITY_LEVELS[level]]),
    ),
    gauge("missing_features", "Features that an agent lacks.", () =>
      agents.health.map(({ name, counters }): Sample => [{ agent: name }, counters.missing_features.length]),
    ),
    one("budget_day_spent_usd", "Cost of today.", () => budgets.day().spentUsd),
    gauge("budget_day_limit_usd", "Budget of today; absent without a limit.", () => {
      const { limitUsd } = budgets.day();
      return limitUsd === undefined ? [] : [[{}, limitUsd]];
    }),
    gauge("event_loop_delay_seconds", "Event loop delay since the last scrape.", () =>
      delay.look().map(([quantile, seconds]): Sample => [{ quantile }, seconds]),
    ),
    ofShared("sessions", "Sessions in a process that they share.", ({ sessions }) => sessions),
    ofShared("memory_bytes", "Resident memory of a process that sessions share.", ({ rssBytes }) => rssBytes),
    ofShared(
      "largest_session_bytes",
      "What the largest session of a process that sessions share holds in memory, about.",
      ({ largestSessionBytes }) => largestSessionBytes,
    ),
    ofShared(
      "event_loop_delay_seconds",
      "The worst event loop delay of the last second in a process that sessions share.",
      ({ loopDelayMs }) => loopDelayMs / 1000,
    ),
    ...processReadings(),
  ];
}

/** Process metrics under their conventional names. */
function processReadings(): readonly Instrument[] {
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    new Reading("process_cpu_seconds_total", "counter", "CPU time.", () => {
      const { user, system } = process.cpuUsage();
      return [[{}, (user + system) / 1e6]];
    }),
    new Reading("process_resident_memory_bytes", "gauge", "Resident memory.", () => [
      [{}, process.memoryUsage.rss()],
    ]),
    new Reading("nodejs_heap_size_used_bytes", "gauge", "Heap memory in use.", () => [
      [{}, process.memoryUsage().heapUsed],
    ]),
    new Reading("process_start_time_seconds", "gauge", "Start time.", () => [[{}, startedAt]]),
  ];
}

const STATUSES = Object.values(SessionStatus).filter((status) => typeof status === "number");

function byStatus(
  live: readonly { readonly record: { readonly status: SessionStatus } }[],
): readonly Sample[] {
  return STATUSES.filter((status) => status !== SessionStatus.UNSPECIFIED).map((wanted): Sample => {
    const count = live.filter(({ record }) => record.status === wanted).length;
    return [{ status: SessionStatus[wanted].toLowerCase() }, count];
  });
}
