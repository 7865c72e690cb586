import type { Environment } from "@agentwire/models/providers";

/** A cloud that sells Claude. */
export type Cloud = "bedrock" | "vertex" | "foundry";

const SWITCHES = [
  ["bedrock", "CLAUDE_CODE_USE_BEDROCK"],
  ["vertex", "CLAUDE_CODE_USE_VERTEX"],
  ["foundry", "CLAUDE_CODE_USE_FOUNDRY"],
] as const;

/** The variable that turns a cloud on. */
export const switchOf = (cloud: Cloud): string => `CLAUDE_CODE_USE_${cloud.toUpperCase()}`;

/** The cloud that the environment turns on, if any. */
export function cloudIn(env: Environment): Cloud | undefined {
  return SWITCHES.find(([, variable]) => isTrue(env[variable]))?.[0];
}

/** Whether requests are sent without credentials, because a gateway in front of the cloud adds them. */
export function skipsAuth(cloud: Cloud, env: Environment): boolean {
  return isTrue(env[`CLAUDE_CODE_SKIP_${cloud.toUpperCase()}_AUTH`]);
}

const isTrue = (value: string | undefined) => /^(1|true|yes|on)$/i.test(value ?? "");

/** The AWS region, determined as AWS's own tools do. */
export const awsRegion = (env: Environment): string =>
  env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1";

/** The Google Cloud region for a model: from the model's own variable, otherwise from the general one. */
export function vertexRegion(model: string, env: Environment): string {
  const given = [env[regionVariable(model)], env.CLOUD_ML_REGION].map((value) => value?.trim() ?? "");
  return given.find((value) => /^[a-z]{2,}(-[a-z0-9]+){0,4}$/i.test(value)) ?? "us-east5";
}

/** Spelled as the official agent does: `VERTEX_REGION_CLAUDE_4_5_SONNET`, but `VERTEX_REGION_CLAUDE_HAIKU_4_5`. */
function regionVariable(model: string): string {
  const [, old, oldLine, line, version = ""] =
    /^claude-(?:(3-\d)-([a-z]+)|([a-z]+)-(\d(?:-\d)?))(?!\d)/.exec(model) ?? [];
  if (old !== undefined) return variable(old, oldLine);
  if (line !== "sonnet" && line !== "opus") return variable(line, version);
  return variable(version === "4" ? "4-0" : version, line);
}

const variable = (...words: readonly (string | undefined)[]) =>
  ["VERTEX", "REGION", "CLAUDE", ...words].join("_").toUpperCase().replaceAll("-", "_");

/** Whether a cloud supports web search for a Claude model, by the official agent's criteria. */
export function searchesWeb(cloud: Cloud, model: string): boolean {
  if (cloud === "vertex") return !model.includes("claude-3-");
  return cloud === "foundry";
}

/** Models from the time when the clouds' model names contained dates. */
const DATES: ReadonlyMap<string, string> = new Map([
  ["claude-haiku-4-5", "20251001"],
  ["claude-sonnet-4-5", "20250929"],
  ["claude-opus-4-5", "20251101"],
  ["claude-opus-4-1", "20250805"],
  ["claude-sonnet-4", "20250514"],
  ["claude-opus-4", "20250514"],
]);

/** A cloud's name for a model; a name that is not Anthropic's own is already the cloud's. */
export function nameAt(cloud: Cloud, model: string, env: Environment): string {
  const [, base, givenDate] = /^(claude-[a-z0-9-]+?)(?:-(\d{8}))?(?:\[\w+\])?$/.exec(model) ?? [];
  if (base === undefined) return model;
  const date = givenDate ?? DATES.get(base);
  switch (cloud) {
    case "bedrock":
      return `${regionPrefix(env)}.anthropic.${base}${date ? `-${date}-v1:0` : base === "claude-opus-4-6" ? "-v1" : ""}`;
    case "vertex":
      return date ? `${base}@${date}` : base;
    case "foundry":
      return base;
  }
}

/** The group of regions that share the load, which Bedrock prepends to the name of a model. */
function regionPrefix(env: Environment): string {
  const region = awsRegion(env);
  if (region.startsWith("us-gov-")) return "us-gov";
  if (env.ANTHROPIC_BEDROCK_REGION_PREFIX) return env.ANTHROPIC_BEDROCK_REGION_PREFIX;
  return /^(us|eu)-/.exec(region)?.[1] ?? (region.startsWith("ap-") ? "apac" : "global");
}
