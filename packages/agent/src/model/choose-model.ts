import type { ProviderSources } from "@agentwire/models/providers";
import { type AnthropicOptions, anthropicModel } from "./anthropic.ts";
import { KnownProviders } from "./known-providers.ts";
import type { Model } from "./model.ts";
import { OFFLINE, offlineModel } from "./offline.ts";
import { routedModel } from "./routed-model.ts";
import { loadScript, scriptedModel } from "./scripted.ts";

/** What determines where replies come from. */
export interface ModelSources extends AnthropicOptions {
  /** The path of a script. */
  readonly script?: string;
  /** The values for `{{name}}` in the script. */
  readonly variables?: ReadonlyMap<string, string>;
  /** The session's model, possibly another provider's. */
  readonly name?: string;
  /** The sources that define other providers. */
  readonly providers?: ProviderSources;
}

/** A model, and the kind of model that answers for the session. */
export interface ModelChoice {
  readonly kind: "scripted" | "provider" | "anthropic" | "offline";
  readonly model: Model;
  /** The other providers that it can call. */
  readonly providers: KnownProviders;
  /** The model that Claude's names refer to if Claude is not available. */
  readonly standing?: string | undefined;
}

/**
 * A script if one is given; another provider for its own models; the Messages API if its address or credentials are given;
 * otherwise the offline model.
 */
export async function chooseModel(sources: ModelSources): Promise<ModelChoice> {
  if (sources.script) {
    const script = await loadScript(sources.script);
    const model = scriptedModel(script, sources.variables ?? new Map());
    return { kind: "scripted", model, providers: new KnownProviders() };
  }
  const providers = new KnownProviders(sources.providers);
  const { cloud, apiKey, authToken, baseUrl, apiKeyHelper } = sources;
  const hasClaude = Boolean(cloud || apiKey || authToken || baseUrl || apiKeyHelper);
  const model = routedModel(hasClaude ? anthropicModel(sources) : offlineModel(), providers, sources);
  const { name = "" } = sources;
  // A provider that does not exist is reported by name; the offline model must not answer in its place.
  const isMeant = name.includes("/") && !cloud && !baseUrl;
  if ((await providers.find(name)) || isMeant)
    return { kind: "provider", model, providers, standing: hasClaude ? undefined : name };
  return hasClaude
    ? { kind: "anthropic", model, providers }
    : { kind: "offline", model, providers, standing: OFFLINE };
}
