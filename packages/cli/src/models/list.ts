import { type ModelChoice, modelChoices } from "@agentwire/models/probe";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { plain } from "../render/plain.ts";
import { table } from "../render/table.ts";
import { findModels, knownProviders } from "./find.ts";

const LIST_MS = 10_000;

/** Lists the models that can be reached; exit code 1 if there are none. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const known = await knownProviders(io);
  const wanted = textOption(call, "provider");
  const all = await findModels(known, LIST_MS);
  const lists = all.filter(({ provider }) => wanted === undefined || provider.name === wanted);
  const models = modelChoices(lists);
  const problems = lists.flatMap(({ provider, problem }) =>
    problem === undefined ? [] : [{ provider: provider.name, problem }],
  );
  if (json) io.stdout.write(`${JSON.stringify({ models, problems, faults: known.providers.faults })}\n`);
  else {
    if (models.length > 0) io.stdout.write(table([HEADINGS, ...models.map(row)]));
    for (const fault of known.providers.faults) io.stderr.write(`${plain(fault)}\n`);
    for (const { provider, problem } of problems) io.stderr.write(`${provider}: ${plain(problem)}\n`);
    if (models.length === 0)
      io.stderr.write(wanted === undefined ? NOTHING : `no models of ${plain(wanted)} found\n`);
  }
  return models.length > 0 ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}

const HEADINGS = ["MODEL", "CONTEXT", "PRICE", "CAN"];

const row = ({ name, contextWindow, prices, ...abilities }: ModelChoice) => [
  plain(name),
  contextWindow === undefined ? "" : contextWindow.toLocaleString("en"),
  prices === undefined ? "" : `$${prices.input} / $${prices.output}`,
  ABILITIES.flatMap(([key, word]) => (abilities[key] === true ? [word] : [])).join(", "),
];

const ABILITIES = [
  ["callsTools", "tools"],
  ["thinks", "thinking"],
  ["images", "images"],
  ["documents", "documents"],
] as const;

const NOTHING = `No model can be reached. To change that, do one of:
  export ANTHROPIC_API_KEY=…      or the key of another provider: OPENAI_API_KEY, OPENROUTER_API_KEY, GEMINI_API_KEY, …
  ollama serve                    or another server on this machine: LM Studio, vLLM, llama.cpp
  providers in ~/.claude/settings.json, for any other server
`;
