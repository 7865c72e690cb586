import { type AgentName, CLAUDE_CODE } from "./agent-name.ts";
import { newCapabilities, supports } from "./capabilities.ts";
import type { ObservedFact } from "./deprecation.ts";
import type { CompatibilityLevel } from "./level.ts";
import { COMPATIBILITY_MATRIX, type MatrixRow } from "./matrix.ts";
import { type MinorLine, minorLine, placeInRange, printVersion, type Version } from "./version.ts";

/** What is known about an agent besides its version when a notice is written. */
export interface KnownAgent {
  readonly agent?: AgentName;
  readonly capabilities?: readonly string[];
  readonly observed?: ReadonlySet<ObservedFact>;
  /** Where people can read more. */
  readonly documentation?: string;
}

/** The startup notice about an agent that needs attention, as data. */
export interface StartupNotice {
  readonly agent: string;
  readonly program: string;
  readonly detected: string;
  readonly testedUpTo: MinorLine;
  readonly features: readonly { readonly feature: string; readonly state: string }[];
  /** Announced features that this release doesn't know; undefined until the agent has announced anything. */
  readonly newFeatures: readonly string[] | undefined;
  readonly recommendation: string;
  readonly documentation?: string;
  readonly level: CompatibilityLevel;
}

/** Describes how an agent's version fits a row of the matrix, feature by feature. */
export function startupNotice(
  version: Version,
  row: MatrixRow,
  level: CompatibilityLevel,
  { agent = CLAUDE_CODE, capabilities, observed, documentation }: KnownAgent = {},
): StartupNotice {
  return {
    agent: agent.title,
    program: row.program,
    detected: printVersion(version),
    testedUpTo: row.agent.max,
    features: [
      { feature: "Stream format", state: streamState(version, capabilities, row) },
      { feature: "Permission protocol", state: permissionState(version, capabilities, observed) },
      ...(supports(version, capabilities, "hook_callbacks") ? [] : [RULES_BY_FLAG]),
    ],
    newFeatures: capabilities && newCapabilities(capabilities),
    recommendation: recommend(version, row, agent),
    ...(documentation !== undefined && { documentation }),
    level,
  };
}

/** The startup notice as text, without a final newline. */
export function printNotice(notice: StartupNotice): string {
  const { agent, program, detected, testedUpTo, newFeatures, recommendation, documentation, level } = notice;
  const features = notice.features.map(({ feature, state }) => `  - ${feature}: ${state}`);
  return [
    `Detected ${agent} v${detected} (tested with ${program} up to v${testedUpTo})`,
    "",
    "COMPATIBILITY NOTICE:",
    ...features,
    `  - New features available: ${newFeatures ? newFeatures.join(", ") || "none" : "known after its first session"}`,
    "",
    `Recommendation: ${recommendation}`,
    ...(documentation === undefined ? [] : [`Documentation: ${documentation}`]),
    "",
    `Starting daemon in ${level} mode...`,
  ].join("\n");
}

const RULES_BY_FLAG = {
  feature: "Rules",
  state: "Set by flags at startup (no hooks); calls that would need a question are denied",
};

function streamState(version: Version, capabilities: KnownAgent["capabilities"], row: MatrixRow): string {
  if (!supports(version, capabilities, "partial_messages")) return "Compatible (whole messages only)";
  return placeInRange(version, row.agent) === "above" ? "Compatible (auto-adapting)" : "Compatible";
}

function permissionState(
  version: Version,
  capabilities: KnownAgent["capabilities"],
  observed: KnownAgent["observed"],
): string {
  if (!supports(version, capabilities, "stdio_permission_prompts"))
    return "Unavailable (no prompts over stdio)";
  return observed?.has("legacy_permission_format") ? "Using legacy compatibility mode" : "Compatible";
}

function recommend(version: Version, row: MatrixRow, agent: AgentName): string {
  const { program } = row;
  if (placeInRange(version, row.agent) !== "above") {
    return `Update ${agent.title} to v${row.agent.max} for full ${program} v${row.release} support`;
  }
  const line = minorLine(version);
  const newest = COMPATIBILITY_MATRIX.findLast(
    (other) => other.program === program && placeInRange(version, other.agent) === "inside",
  );
  return newest === undefined
    ? `Update ${program} once a release is tested with v${line}`
    : `Update ${program} to v${newest.release} for full v${line} support`;
}
