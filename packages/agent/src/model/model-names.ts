import { ALIASES } from "@agentwire/models";
import { resolveModel } from "./pricing.ts";
import type { ModelRoles } from "./roles.ts";

/** The environment's choice of models for short names and for smaller work. */
export interface ModelNames {
  /** The models of `opus`, `sonnet` and `haiku`, if they differ from the defaults. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The model for labels and summaries. */
  readonly small: string;
  /** The model for all Claude names that the environment does not define, if Claude is not available. */
  readonly standing?: string | undefined;
  /** The model of subagents whose definition names none. */
  readonly subagent?: string | undefined;
}

const VARIABLES = [
  ["default", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
  ["opus", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
  ["sonnet", "ANTHROPIC_DEFAULT_SONNET_MODEL"],
  ["haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL"],
  ["fable", "ANTHROPIC_DEFAULT_FABLE_MODEL"],
] as const;

/** Reads the model names from the environment, because gateways and clouds have their own; roles apply where it defines none. */
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

/** The model that a name refers to in this environment. */
export function namedModel({ aliases, standing }: ModelNames, name: string): string {
  const suffix = name.indexOf("[");
  const base = suffix < 0 ? name : name.slice(0, suffix);
  const short = base.toLowerCase();
  const own = aliases.get(short) ?? (isClaude(short) ? standing : undefined);
  return own === undefined ? resolveModel(name) : own + name.slice(base.length);
}
