import { CompatibilityLevel, type HealthDetailsResponse, HealthStatus } from "@agentwire/api";
import { plain } from "../render/plain.ts";
import { VERSION } from "../version.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { slowProcesses } from "./shared-processes.ts";

const USABLE: ReadonlySet<CompatibilityLevel> = new Set([
  CompatibilityLevel.FULLY_COMPATIBLE,
  CompatibilityLevel.LIKELY_COMPATIBLE,
]);

/** The checks that are possible for a remote daemon. */
export function examineRemote(
  address: string,
  health: HealthDetailsResponse | undefined,
): readonly Finding[] {
  if (!health)
    return [problem("daemon", `no daemon answers at ${address}`, "check that it is running and reachable")];
  const findings = [ok("daemon", `${health.version} answers at ${address}`)];
  if (health.version !== VERSION)
    findings.push(
      warning(
        "daemon",
        `it is version ${health.version}, this program is ${VERSION}`,
        "use the same version for both",
      ),
    );
  if (health.status === HealthStatus.NOT_SERVING)
    findings.push(problem("store", health.store?.message || "it is not accepting requests", "see its log"));
  if (health.status === HealthStatus.SERVING_DEGRADED)
    findings.push(warning("daemon", "it is degraded", "details: agentwire daemon status --json"));
  findings.push(...slowProcesses(health));
  for (const { name, claudeCode } of health.agents) {
    const text = plain(claudeCode?.message ?? "") || "not checked yet";
    const isUsable = claudeCode !== undefined && USABLE.has(claudeCode.level);
    findings.push(
      isUsable
        ? ok(`agent ${name}`, text)
        : warning(`agent ${name}`, text, "for details, run agentwire doctor on its machine"),
    );
  }
  return findings;
}
