import { type ModelList, modelChoices } from "@agentwire/models/probe";
import type { Io } from "../io.ts";
import { findModels, type KnownProviders, knownProviders } from "../models/find.ts";
import { plain } from "../render/plain.ts";
import { type Finding, ok, warning } from "./finding.ts";

const LOOK_MS = 5000;

/** Checks which models can be reached, and why others can't. */
export async function examineModels(io: Io): Promise<readonly Finding[]> {
  const known = await knownProviders(io);
  const lists = await findModels(known, LOOK_MS);
  const findings = lists.map(({ provider, models, problem }) =>
    problem === undefined
      ? ok("models", `${provider.name}: ${models.length} at ${plain(provider.baseUrl)}`)
      : warning("models", plain(problem), "check its address and key, then try again: agentwire models"),
  );
  const faults = known.providers.faults.map((fault) =>
    warning("models", plain(fault), "fix it in ~/.claude/settings.json"),
  );
  const all = [...findings, ...faults, ...examineChoices(known, lists)];
  if (known.claude || findings.some(({ level }) => level === "ok")) return all;
  return [
    ...all,
    warning(
      "models",
      "none can be reached, so agentwire-agent runs its offline demo",
      "export ANTHROPIC_API_KEY=… (or another provider's key), then agentwire daemon stop; agentwire models --help lists other ways",
    ),
  ];
}

/** Checks the chosen models against the providers' lists only, since calling the models would cost money. */
function examineChoices(
  { providers, claude, chosen }: KnownProviders,
  lists: readonly ModelList[],
): readonly Finding[] {
  // Names without a provider, or behind a gateway, can't be checked here.
  const isElsewhere = claude !== undefined && !claude.baseUrl.endsWith("//api.anthropic.com");
  const names = [...chosen].filter(([name]) => name.includes("/") && !isElsewhere);
  return names.flatMap(([name, place]) => {
    const named = providers.named(name);
    if (!named)
      return [
        warning(
          "models",
          `${place}: ${plain(providers.absence(name))}`,
          "correct the name, or add the provider",
        ),
      ];
    const { provider, model } = named;
    const list = lists.find((one) => one.provider.name === provider.name);
    const found = list && modelChoices([list]).find((one) => one.name === `${provider.name}/${model}`);
    if (list?.models.length && !found)
      return [
        warning(
          "models",
          `${place}: ${provider.name} does not list a model ${plain(model)}`,
          `agentwire models --provider ${provider.name} lists what it has`,
        ),
      ];
    if (found?.callsTools === false)
      return [
        warning(
          "models",
          `${place}: ${plain(name)} can't call tools`,
          'set "tools": "prompted" for it in the settings',
        ),
      ];
    return [];
  });
}
