import type { ModelInfo } from "@agentwire/protocol/control";
import type { ModelCatalog } from "./catalog.ts";
import { type ModelNames, namedModel } from "./model-names.ts";

const OFFERED = [
  ["default", "Default (recommended)", "The model of a session that names none"],
  ["opus", "Opus", "For work that needs much thought"],
  ["fable", "Fable", "For the hardest and longest work"],
  ["sonnet", "Sonnet", "For everyday work"],
  ["haiku", "Haiku", "For quick answers"],
] as const;

/** The models that the provider also serves faster, at a higher price. */
const FAST = /^claude-(opus|fable)-5/;

/** The models that a host can offer its user, with the abilities of the models that their names refer to here. */
export function offeredModels(names: ModelNames, catalog: ModelCatalog): ModelInfo[] {
  const usual = OFFERED.map(([value, displayName, description]) => {
    const resolvedModel = namedModel(names, value);
    return { value, resolvedModel, displayName, description, ...abilities(resolvedModel, catalog) };
  });
  const described = catalog.described.map((name) => ({
    value: name,
    resolvedModel: name,
    displayName: name,
    description: `A model of the provider ${name.slice(0, name.indexOf("/"))}`,
    ...abilities(name, catalog),
  }));
  return [...usual, ...described];
}

function abilities(name: string, catalog: ModelCatalog): Partial<ModelInfo> {
  const known = catalog.infoOf(name);
  if (!known) return {};
  const adapts = known.thinks === "adaptive";
  return {
    supportsEffort: adapts,
    ...(adapts && { supportedEffortLevels: ["low", "medium", "high", "xhigh", "max"] }),
    supportsAdaptiveThinking: adapts,
    ...(FAST.test(known.canonical) && { supportsFastMode: true }),
    supportsThinkingOff: known.thinks !== undefined && !known.alwaysThinks,
  };
}
