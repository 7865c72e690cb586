import { onPath } from "@agentwire/local/files";
import type { ModelList } from "@agentwire/models/probe";
import type { Io } from "../io.ts";
import { plain } from "../render/plain.ts";
import { findModels, type KnownProviders, knownProviders } from "./find.ts";

/** Short, because starting must not wait for servers that don't exist. */
const LOOK_MS = 1500;

/** The note for people whose sessions use the official agent because it was found. */
export const OFFICIAL_DEFAULT = `Sessions use claude, the official agent, unless they name another. For agentwire's own agent, use
--agent agentwire, or set default_agent in settings.json.
`;

/** The agent that runs the demo if it has no model; other agents bring their own models. */
export const OUR_AGENT = "agentwire";

/**
 * The text for people who start without a Claude key: which models and agents were found, and how to continue. Undefined if a model is
 * set up.
 */
export async function welcome(io: Io): Promise<string | undefined> {
  const known = await knownProviders(io);
  if (!isWithoutModel(io, known)) return undefined;
  const lists = await findModels(known, LOOK_MS);
  const claude = onPath("claude", io.env);
  const found = lists.filter(({ models }) => models.length > 0);
  return `No key for Claude is set, so sessions that name no model get the offline demo:
fixed rules, not a language model.

Found on this machine:
${[...lists.map(describe), ...(claude === undefined ? [] : [`  claude, the official agent: ${plain(claude)}`])].join("\n") || "  no other model: no other key, no server such as Ollama, no claude on PATH"}

Next steps:
${nextSteps(found, claude !== undefined).join("\n")}
`;
}

function describe({ provider, models, problem }: ModelList): string {
  if (problem !== undefined) return `  ${provider.name}: ${plain(problem)}`;
  const names = models.slice(0, 3).map(({ id }) => plain(id));
  const more = models.length > names.length ? `, and ${models.length - names.length} more` : "";
  return `  ${provider.name} at ${plain(provider.baseUrl)}: ${names.join(", ") || "no models"}${more}`;
}

function nextSteps(found: readonly ModelList[], hasClaude: boolean): string[] {
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
    "  agentwire models                   shows which models can be reached",
    "  agentwire models test NAME         shows what a model can do",
  ];
}

const nameIn = ({ provider, models: [first] }: ModelList) => `${provider.name}/${plain(first?.id ?? "")}`;

/** Whether no default model is configured for sessions that name none. */
export function isWithoutModel({ env }: Io, { providers, claude, chosen }: KnownProviders): boolean {
  const hasCloud = CLOUDS.some((variable) => env[variable]);
  return !claude && !providers.get("anthropic") && !hasCloud && chosen.size === 0;
}

const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
