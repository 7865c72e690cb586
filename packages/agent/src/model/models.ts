import type { ModelInfo } from "@agentwire/protocol/control";
import { type ModelNames, namedModel } from "./model-names.ts";
import { modelInfo } from "./pricing.ts";

const OFFERED = [
  ["default", "Default (recommended)", "The model of a session that names none"],
  ["opus", "Opus", "For work that needs much thought"],
  ["fable", "Fable", "For the hardest and longest work"],
  ["sonnet", "Sonnet", "For everyday work"],
  ["haiku", "Haiku", "For quick answers"],
] as const;

/** The models that the provider also serves faster, for more money. */
const FAST = /^claude-(opus|fable)-5/;

/** The models a host can offer its user, with what is known of those that their names stand for here. */
export function offeredModels(names: ModelNames): ModelInfo[] {
  return OFFERED.map(([value, displayName, description]) => {
    const resolvedModel = namedModel(names, value);
    return { value, resolvedModel, displayName, description, ...abilities(resolvedModel) };
  });
}

function abilities(name: string): Partial<ModelInfo> {
  const known = modelInfo(name);
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
