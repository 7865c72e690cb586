import { type AgentStatus, CompatibilityLevel } from "@agentwire/api";

const LEVELS: ReadonlyMap<CompatibilityLevel, readonly [label: string, tone: string]> = new Map([
  [CompatibilityLevel.FULLY_COMPATIBLE, ["fully compatible", "good"]],
  [CompatibilityLevel.LIKELY_COMPATIBLE, ["likely compatible", "good"]],
  [CompatibilityLevel.DEGRADED, ["degraded", "warning"]],
  [CompatibilityLevel.INCOMPATIBLE, ["incompatible", "bad"]],
]);

/** The agents that sessions can use, with their versions and how compatible they are. */
export function AgentList({ agents }: { readonly agents: readonly AgentStatus[] }) {
  return (
    <ul class="panel agents">
      {agents.map((agent) => (
        <Agent key={agent.name} agent={agent} />
      ))}
    </ul>
  );
}

function Agent({ agent: { name, path, claudeCode, notice, dialect } }: { readonly agent: AgentStatus }) {
  const level = claudeCode?.level ?? CompatibilityLevel.COMPATIBILITY_UNKNOWN;
  const isMissing = path === "" && level === CompatibilityLevel.INCOMPATIBLE;
  const [label, tone] = isMissing ? ["not found", ""] : (LEVELS.get(level) ?? ["not checked yet", ""]);
  return (
    <li class="agent">
      <p class="agent-head">
        <strong>{name}</strong>
        {claudeCode?.version && <span>{claudeCode.version}</span>}
        <span class={`tag ${tone}`}>{label}</span>
        {dialect !== "" && <span class="tag">{dialect}</span>}
        {path !== "" && <span class="path">{path}</span>}
      </p>
      {claudeCode?.message && level !== CompatibilityLevel.FULLY_COMPATIBLE && (
        <p class="why">{claudeCode.message}</p>
      )}
      {notice !== "" && <pre>{notice}</pre>}
    </li>
  );
}
