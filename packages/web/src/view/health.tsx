import { CompatibilityLevel, type HealthDetailsResponse, HealthStatus } from "@agentwire/api";
import { bytes, count, span } from "../text/words.ts";
import { Audit } from "./audit.tsx";
import type { ViewProps } from "./shell.tsx";

const STATES: ReadonlyMap<HealthStatus, string> = new Map([
  [HealthStatus.SERVING, "The daemon is well"],
  [HealthStatus.SERVING_DEGRADED, "The daemon works, but not everything does"],
  [HealthStatus.NOT_SERVING, "The daemon takes nothing now"],
]);

const LEVELS: ReadonlyMap<CompatibilityLevel, readonly [label: string, tone: string]> = new Map([
  [CompatibilityLevel.FULLY_COMPATIBLE, ["fully compatible", "good"]],
  [CompatibilityLevel.LIKELY_COMPATIBLE, ["likely compatible", "good"]],
  [CompatibilityLevel.DEGRADED, ["degraded", "warning"]],
  [CompatibilityLevel.INCOMPATIBLE, ["incompatible", "bad"]],
]);

/** How the daemon and its agents are, and who decided what. */
export function Health({ app, state: { health } }: ViewProps) {
  if (!health) return <p class="splash">Loading…</p>;
  return (
    <div class="page">
      <h1>{STATES.get(health.status) ?? "The daemon is in an unknown state"}</h1>
      <Figures health={health} />
      <h2>Agents</h2>
      <ul class="agents">
        {health.agents.map(({ name, path, claudeCode, notice, dialect }) => {
          const [label, tone] = LEVELS.get(claudeCode?.level ?? 0) ?? ["not looked at yet", ""];
          return (
            <li key={name} class="panel">
              <p>
                <strong>{name}</strong> {claudeCode?.version} <span class={`tag ${tone}`}>{label}</span>{" "}
                {dialect !== "" && <span class="tag">{dialect}</span>}
              </p>
              <p class="path">{path}</p>
              <p>{claudeCode?.message}</p>
              {notice !== "" && <pre>{notice}</pre>}
            </li>
          );
        })}
      </ul>
      <h2>What was not understood</h2>
      <NotUnderstood health={health} />
      <Audit app={app} />
    </div>
  );
}

function Figures({ health }: { readonly health: HealthDetailsResponse }) {
  const { sessions, processes, store, clients } = health;
  const figures: readonly (readonly [string, string, string])[] = [
    [
      "Sessions",
      String(sessions?.total ?? 0),
      `${sessions?.running ?? 0} running, ${sessions?.asking ?? 0} asking, ${sessions?.waiting ?? 0} waiting, ${sessions?.failed ?? 0} failed`,
    ],
    [
      "Agents running",
      `${processes?.running ?? 0} of ${processes?.limit ?? 0}`,
      `${processes?.restarts ?? 0} restarts`,
    ],
    ["Memory", bytes(Number(health.memoryBytes)), `up for ${span(Number(health.uptimeMs))}`],
    [
      "Store",
      store?.state ?? "",
      [
        store?.message,
        store && store.events > 0n
          ? `${count(Number(store.events))} events, ${bytes(Number(store.sizeBytes))}`
          : "",
        `${store?.queueDepth ?? 0} writes wait`,
      ]
        .filter(Boolean)
        .join(", "),
    ],
    [
      "Clients",
      String(clients?.connected ?? 0),
      `${clients?.slow ?? 0} slow, ${clients?.evicted ?? 0n} sent away`,
    ],
    ["Version", health.version, ""],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value, more]) => (
        <div key={name} class="panel">
          <dt>{name}</dt>
          <dd>
            <span class="figure">{value}</span>
            <span class="more">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NotUnderstood({ health: { degradation } }: { readonly health: HealthDetailsResponse }) {
  if (!degradation) return <p>Nothing.</p>;
  const rows: readonly (readonly [string, string])[] = [
    ["Messages of unknown types", `${degradation.unknownMessages} ${degradation.unknownTypes.join(", ")}`],
    ["Parse errors tolerated", String(degradation.parseErrorsTolerated)],
    ["Parse errors that failed a session", String(degradation.parseErrorsFatal)],
    ["Lines that were cut", String(degradation.truncatedLines)],
    ["Features that are missing", degradation.missingFeatures.join(", ") || "none"],
  ];
  return (
    <table class="facts">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
