import { type HealthDetailsResponse, HealthStatus } from "@agentwire/api";
import { hrefOf } from "../route.ts";
import { bytes, count, many, span } from "../text/words.ts";
import { AgentList } from "./agent-list.tsx";
import { Audit } from "./audit.tsx";
import { SharedProcesses } from "./shared-processes.tsx";
import type { ViewProps } from "./shell.tsx";

const STATES: ReadonlyMap<HealthStatus, readonly [words: string, tone: string]> = new Map([
  [HealthStatus.SERVING, ["The daemon is healthy", "good"]],
  [HealthStatus.SERVING_DEGRADED, ["The daemon is degraded", "warning"]],
  [HealthStatus.NOT_SERVING, ["The daemon is not accepting requests", "bad"]],
]);

/** The health of the daemon and its agents, and the audit log. */
export function Health({ app, state: { health, sessions, waiting } }: ViewProps) {
  if (!health) return <p class="splash">Loading…</p>;
  const [words, tone] = STATES.get(health.status) ?? ["The daemon is in an unknown state", ""];
  return (
    <div class="page">
      <header class="page-head">
        <h1 class={`state ${tone}`}>{words}</h1>
        <span class="why">
          version {health.version}, up for {span(Number(health.uptimeMs))}
        </span>
        <a class="button small" href={hrefOf({ view: "nodes" })}>
          Nodes
        </a>
      </header>
      <Figures health={health} />
      <h2>Agents</h2>
      <AgentList agents={health.agents} />
      {health.sharedProcesses.length > 0 && (
        <>
          <h2>Shared processes</h2>
          <SharedProcesses processes={health.sharedProcesses} />
        </>
      )}
      <h2>Messages not understood</h2>
      <NotUnderstood health={health} />
      <Audit app={app} sessions={sessions} waiting={waiting.length} />
    </div>
  );
}

function Figures({ health }: { readonly health: HealthDetailsResponse }) {
  const { sessions, processes, store, clients } = health;
  const queuedPrompts = sessions?.queuedPrompts ?? 0;
  const figures: readonly Figure[] = [
    {
      name: "Sessions",
      value: count(sessions?.total ?? 0),
      more: said(
        [
          [sessions?.running, "running"],
          [sessions?.asking, "asking"],
          [sessions?.waiting, "waiting"],
          [sessions?.failed, "failed"],
        ],
        "all idle",
      ),
      isBad: (sessions?.failed ?? 0) > 0,
    },
    {
      name: "Agent processes",
      value: `${processes?.running ?? 0} of ${processes?.limit ?? 0}`,
      more: `${processes?.warm ?? 0} warm, ${many(processes?.restarts ?? 0n, "restart")} after crashes`,
      isBad: (processes?.restarts ?? 0n) > 0n,
    },
    {
      name: "Queues",
      value: `${queuedPrompts + (store?.queueDepth ?? 0)}`,
      more: `${many(queuedPrompts, "prompt")}, ${many(store?.queueDepth ?? 0, "write")} to disk`,
    },
    { name: "Memory", value: bytes(Number(health.memoryBytes)), more: "daemon only, without agents" },
    {
      name: "Store",
      value: bytes(Number(store?.sizeBytes ?? 0n)),
      more: store?.state === "ok" ? "ok" : `${store?.state}: ${store?.message}`,
      isBad: store?.state !== "ok",
    },
    {
      name: "Clients",
      value: count(clients?.present ?? 0),
      more: `${many(clients?.connected ?? 0, "live stream")}, ${clients?.slow ?? 0} slow, ${clients?.evicted ?? 0n} disconnected`,
      isBad: (clients?.slow ?? 0) > 0,
    },
  ];
  return (
    <dl class="figures wide">
      {figures.map(({ name, value, more, isBad }) => (
        <div key={name} class="panel">
          <dt>{name}</dt>
          <dd>
            <span class="figure">{value}</span>
            <span class={isBad ? "more warning" : "more"}>{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly more: string;
  /** Whether it needs attention. */
  readonly isBad?: boolean;
}

/** The nonzero counts with their labels; `none` if all are zero. */
function said(counts: readonly (readonly [number | bigint | undefined, string])[], none: string): string {
  const some = counts
    .filter(([value]) => Number(value ?? 0) > 0)
    .map(([value, words]) => `${value} ${words}`);
  return some.length > 0 ? some.join(", ") : none;
}

function NotUnderstood({ health: { degradation } }: { readonly health: HealthDetailsResponse }) {
  if (!degradation) return <p class="why">None.</p>;
  const { unknownTypes, missingFeatures } = degradation;
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ["Messages of unknown types", String(degradation.unknownMessages), unknownTypes],
    ["Parse errors tolerated", String(degradation.parseErrorsTolerated), []],
    ["Parse errors that failed a session", String(degradation.parseErrorsFatal), []],
    ["Truncated lines", String(degradation.truncatedLines), []],
    ["Lines that are not messages", String(degradation.noiseLines), []],
    ["Missing features", String(missingFeatures.length), missingFeatures],
  ];
  return (
    <table class="facts counts-table">
      <tbody>
        {rows.map(([name, value, tags]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{value}</td>
            <td>
              {tags.map((tag) => (
                <span key={tag} class="tag warning">
                  {tag}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
