import { type HealthService, SessionStatus } from "@agentwire/api";
import { OUR_PROGRAM } from "@agentwire/protocol/compatibility";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { countSessions } from "../health/count-sessions.ts";
import { VERSION } from "../version.ts";
import { toClaudeCodeStatus, toDegradation, toSharedProcess } from "./to-api.ts";

/** Reports the health of the daemon and its agents. */
export function healthService(daemon: Daemon): ServiceImpl<typeof HealthService> {
  const startedAt = performance.now();
  return {
    async healthDetails() {
      const statuses = daemon.registry.live.map(({ record }) => record.status);
      const count = (wanted: SessionStatus) => statuses.filter((status) => status === wanted).length;
      const subscribers = daemon.registry.live.flatMap(({ journal }) => [...journal.subscribers]);
      // Comes first, since it reveals whether the store can be read.
      const total = await countSessions(daemon);
      const store = daemon.health.store;
      const agents = daemon.agents.health;
      // A change shows in the next response, so that this one need not wait.
      daemon.agents.look();
      return {
        status: daemon.health.status,
        version: VERSION,
        uptimeMs: BigInt(Math.floor(performance.now() - startedAt)),
        memoryBytes: BigInt(process.memoryUsage.rss()),
        sessions: {
          total,
          running: count(SessionStatus.RUNNING),
          asking: count(SessionStatus.ASKING),
          waiting: count(SessionStatus.WAITING),
          failed: count(SessionStatus.FAILED),
          queuedPrompts: daemon.registry.live.reduce((sum, { queueSize }) => sum + queueSize.prompts, 0),
        },
        processes: {
          running: daemon.slots.processes,
          warm: daemon.runner.warm,
          limit: daemon.slots.limit,
          restarts: BigInt(daemon.metrics.restarts.total),
        },
        sharedProcesses: daemon.agents.shared.load.map(toSharedProcess),
        store: {
          state: store?.code ?? "ok",
          message: store?.message ?? "",
          sizeBytes: BigInt(daemon.store.sizeBytes),
          events: BigInt(daemon.metrics.events.total),
          queueDepth: daemon.store.depth,
        },
        clients: {
          connected: subscribers.length,
          slow: subscribers.filter(({ isSlow }) => isSlow).length,
          evicted: BigInt(daemon.metrics.evicted.total),
          present: daemon.presence.with(subscribers.map(({ client }) => client)).size,
        },
        degradation: toDegradation(
          agents.map(({ counters, truncated, noise }) => ({ ...counters, truncated, noise })),
        ),
        agents: agents.map((agent) => ({
          name: agent.name,
          path: agent.finding?.agent?.path ?? "",
          claudeCode: toClaudeCodeStatus(agent),
          notice: agent.notice,
          dialect: agent.finding?.agent?.dialect ?? "",
        })),
        ...(agents[0] && { claudeCode: toClaudeCodeStatus(agents[0]) }),
      };
    },
    async getVersion() {
      return { version: VERSION, api: `${OUR_PROGRAM}.v1` };
    },
  };
}
