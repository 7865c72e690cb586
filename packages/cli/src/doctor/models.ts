import type { Io } from "../io.ts";
import { findModels, knownProviders } from "../models/find.ts";
import { plain } from "../render/plain.ts";
import { type Finding, ok, warning } from "./finding.ts";

const LOOK_MS = 5000;

/** Looks which models can be reached, and why others can't. */
export async function examineModels(io: Io): Promise<readonly Finding[]> {
  const known = await knownProviders(io);
  const lists = await findModels(known, LOOK_MS);
  const findings = lists.map(({ provider, models, problem }) =>
    problem === undefined
      ? ok("models", `${provider.name}: ${models.length} at ${plain(provider.baseUrl)}`)
      : warning("models", plain(problem), "check its address and its key; agentwire models asks again"),
  );
  const faults = known.providers.faults.map((fault) =>
    warning("models", plain(fault), "fix it in ~/.claude/settings.json"),
  );
  if (known.claude || findings.some(({ level }) => level === "ok")) return [...findings, ...faults];
  return [
    ...findings,
    ...faults,
    warning(
      "models",
      "none can be reached, so our own agent answers with its offline demo",
      "export ANTHROPIC_API_KEY=… (or another provider's key), then agentwire daemon stop; agentwire models --help says what else helps",
    ),
  ];
}
