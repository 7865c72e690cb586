import { type AnthropicOptions, anthropicModel } from "./anthropic.ts";
import type { Model } from "./model.ts";
import { offlineModel } from "./offline.ts";
import { loadScript, scriptedModel } from "./scripted.ts";

/** What decides where replies come from. */
export interface ModelSources extends AnthropicOptions {
  /** The path of a script. */
  readonly script?: string;
  /** What fills in `{{name}}` in the script. */
  readonly variables?: ReadonlyMap<string, string>;
}

/** A model, and which of the three it is. */
export interface ModelChoice {
  readonly kind: "scripted" | "anthropic" | "offline";
  readonly model: Model;
}

/** A script if one is given, the Messages API if anything says where or as whom to call it, else the offline model. */
export async function chooseModel(sources: ModelSources): Promise<ModelChoice> {
  if (sources.script) {
    const script = await loadScript(sources.script);
    return { kind: "scripted", model: scriptedModel(script, sources.variables ?? new Map()) };
  }
  if (sources.apiKey || sources.authToken || sources.baseUrl) {
    return { kind: "anthropic", model: anthropicModel(sources) };
  }
  return { kind: "offline", model: offlineModel() };
}
