import { onPath } from "@agentwire/local/files";
import type { ModelList } from "@agentwire/models/probe";
import type { Io } from "../io.ts";
import { plain } from "../render/plain.ts";
import { findModels, type KnownProviders, knownProviders } from "./find.ts";

/** A start must not wait long for servers that are not there. */
const LOOK_MS = 1500;

/** What people are told where sessions get the official agent because it was found. */
export const OFFICIAL_DEFAULT = `Sessions use claude, the official agent, unless they name another; ours is --agent agentwire, or default_agent in settings.json
changes the default.
`;

/** The agent that answers with the demo where it has no model; others have models of their own. */
export const OUR_AGENT = "agentwire";

/**
 * What people see who start without a key for Claude: what was found that could answer, and how to continue. Undefined where a model
 * is set up.
 */
export async function welcome(io: Io): Promise<string | undefined> {
  const known = await knownProviders(io);
  if (!isWithoutModel(io, known)) return undefined;
  const lists = await findModels(known, LOOK_MS);
  const claude = onPath("claude", io.env);
  const found = lists.filter(({ models }) => models.length > 0);
  return `No key for Claude is set, so sessions that name no model get the offline demo: fixed rules, not a language model.

Found on this machine:
${[...lists.map(said), ...(claude === undefined ? [] : [`  claude, the official agent: ${plain(claude)}`])].join("\n") || "  no other model: no key in the environment, no server such as Ollama, no claude on PATH"}

How to go on:
${waysOn(found, claude !== undefined).join("\n")}
`;
}

function said({ provider, models, problem }: ModelList): string {
  if (problem !== undefined) return `  ${provider.name}: ${plain(problem)}`;
  const names = models.slice(0, 3).map(({ id }) => plain(id));
  const more = models.length > names.length ? `, and ${models.length - names.length} more` : "";
  return `  ${provider.name} at ${plain(provider.baseUrl)}: ${names.join(", ") || "no models"}${more}`;
}

function waysOn(found: readonly ModelList[], hasClaude: boolean): string[] {
  const [first] = found;
  return [
    ...(first
      ? [
          `  agentwire run --model ${nameIn(first)} "list the files here"`,
          `  {"model": "${nameIn(first)}"} in ~/.claude/settings.json makes it the model for all sessions`,
        ]
      : []),
    ...(hasClaude ? ['  agentwire run --agent claude "list the files here"'] : []),
    "  export ANTHROPIC_API_KEY=…         then agentwire daemon stop, and run again",
    "  agentwire models                   which models can be reached; test NAME shows what one can do",
  ];
}

const nameIn = ({ provider, models: [first] }: ModelList) => `${provider.name}/${plain(first?.id ?? "")}`;

/** Whether nothing says where a model is that answers sessions which name none. */
export function isWithoutModel({ env }: Io, { providers, claude, chosen }: KnownProviders): boolean {
  const hasCloud = CLOUDS.some((variable) => env[variable]);
  return !claude && !providers.get("anthropic") && !hasCloud && chosen.size === 0;
}

const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
