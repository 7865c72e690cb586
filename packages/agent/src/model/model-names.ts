import { ALIASES } from "@agentwire/models";
import { resolveModel } from "./pricing.ts";
import type { ModelRoles } from "./roles.ts";

/** Which models the environment has short names stand for, and which it wants for smaller work. */
export interface ModelNames {
  /** `opus`, `sonnet` and `haiku`, as far as they stand for others than usual. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The model for labels and summaries. */
  readonly small: string;
  /** The model that all names of Claude's stand for which the environment says nothing of: where there is no Claude to be had. */
  readonly standing?: string | undefined;
  /** The model of subagents that name none themselves. */
  readonly subagent?: string | undefined;
}

const VARIABLES = [
  ["default", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
  ["opus", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
  ["sonnet", "ANTHROPIC_DEFAULT_SONNET_MODEL"],
  ["haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL"],
  ["fable", "ANTHROPIC_DEFAULT_FABLE_MODEL"],
] as const;

/** Reads the names that the environment gives models: gateways and clouds have their own. What it does not say, the roles may. */
export function modelNames(
  env: Readonly<Record<string, string | undefined>>,
  roles: ModelRoles = {},
): ModelNames {
  const aliases = new Map(
    VARIABLES.flatMap(([alias, variable]) => {
      const name = env[variable];
      return name ? [[alias, name] as const] : [];
    }),
  );
  return {
    aliases,
    small: env.ANTHROPIC_SMALL_FAST_MODEL || roles.small || "haiku",
    subagent: env.CLAUDE_CODE_SUBAGENT_MODEL || roles.subagents || undefined,
  };
}

const isClaude = (name: string) => ALIASES.has(name) || name.startsWith("claude-");

/** The model that a name stands for in this environment. */
export function namedModel({ aliases, standing }: ModelNames, name: string): string {
  const suffix = name.indexOf("[");
  const base = suffix < 0 ? name : name.slice(0, suffix);
  const short = base.toLowerCase();
  const own = aliases.get(short) ?? (isClaude(short) ? standing : undefined);
  return own === undefined ? resolveModel(name) : own + name.slice(base.length);
}
