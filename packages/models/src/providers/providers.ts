import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";
import { DEFAULT_PROVIDER, factsOf, type ModelFacts, type Provider } from "./provider.ts";
import { type Environment, readProvider, wellKnownProvider } from "./read-provider.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** Where providers are configured. */
export interface ProviderSources {
  /** `providers` of the settings. */
  readonly table?: unknown;
  readonly env: Environment;
}

/** A provider and the name of one of its models. */
export interface NamedModel {
  readonly provider: Provider;
  /** The provider's name for the model. */
  readonly model: string;
  readonly facts: ModelFacts;
}

/** The variable that holds providers as JSON, for use without settings; the settings take precedence. */
const VARIABLE = "AGENTWIRE_PROVIDERS";

/** The providers of one environment. */
export class Providers {
  /** The faults in their descriptions, each prefixed with its provider. */
  readonly faults: readonly string[];
  readonly #described = new Map<string, Provider>();
  /** Caches well-known providers, so that each has one connection. */
  readonly #known = new Map<string, Provider | undefined>();
  readonly #env: Environment;

  constructor({ table, env }: ProviderSources) {
    this.#env = env;
    const faults: string[] = [];
    for (const [name, given] of Object.entries({
      ...fromVariable(env, faults),
      ...(isJsonObject(table) && table),
    })) {
      const provider = readProvider(name, given, env);
      if (typeof provider === "string") faults.push(`providers.${name} ${provider}`);
      else this.#described.set(name, provider);
    }
    this.faults = faults;
  }

  /** The provider of this name, if its address is known. */
  get(name: string): Provider | undefined {
    return this.#described.get(name) ?? this.#wellKnown(name);
  }

  /** The model that `provider/model` refers to; undefined for a model name of the Messages API. */
  named(name: string): NamedModel | undefined {
    const slash = name.indexOf("/");
    const own = slash < 0 ? undefined : this.#meant(name.slice(0, slash));
    if (own) return modelOf(own, name.slice(slash + 1));
    const standing = this.#described.get(DEFAULT_PROVIDER);
    return standing && modelOf(standing, name);
  }

  /** Why there is no provider for `provider/model`, and how to fix that. */
  absence(name: string): string {
    const provider = name.slice(0, name.indexOf("/"));
    const fault = this.faults.find((one) => one.startsWith(`providers.${provider} `));
    if (fault !== undefined) return `The model ${name} is not available: ${fault} in the settings.`;
    const variable = WELL_KNOWN.get(provider)?.address?.variable;
    if (variable !== undefined)
      return `The model ${name} is not available: set ${variable} to the address of ${provider}, or providers.${provider}.baseUrl in the settings.`;
    const known = [...new Set([...this.#described.keys(), ...WELL_KNOWN.keys()])].join(", ");
    const entry = `{"providers": {${JSON.stringify(provider)}: {"baseUrl": "https://…/v1"}}}`;
    return `There is no provider ${provider} for the model ${name}. Known providers: ${known}. Any other needs an entry in ~/.claude/settings.json: ${entry}`;
  }

  /** The usable providers: those described, and well-known ones whose variable is set. */
  get available(): readonly Provider[] {
    const known = [...WELL_KNOWN].flatMap(([name, { keys, address }]) => {
      const isSet = [...keys, ...(address ? [address.variable] : [])].some((variable) => this.#env[variable]);
      const provider = isSet && !this.#described.has(name) ? this.#wellKnown(name) : undefined;
      return provider ? [provider] : [];
    });
    return [...this.#described.values(), ...known];
  }

  #wellKnown(name: string): Provider | undefined {
    if (!this.#known.has(name)) this.#known.set(name, wellKnownProvider(name, this.#env));
    return this.#known.get(name);
  }

  /** With a gateway for the Messages API, names with a slash belong to that gateway unless we can call such a provider ourselves. */
  #meant(name: string): Provider | undefined {
    const described = this.#described.get(name);
    if (described) return described;
    const provider = this.#wellKnown(name);
    const isReady = provider?.apiKey !== undefined || WELL_KNOWN.get(name)?.isLocal === true;
    return isReady || !this.#env.ANTHROPIC_BASE_URL ? provider : undefined;
  }
}

/** Removes a suffix in brackets, which is meant for the agent, not the provider. */
function modelOf(provider: Provider, name: string): NamedModel {
  const model = name.replace(/\[\w+\]$/, "");
  return { provider, model, facts: factsOf(provider, model) };
}

function fromVariable(env: Environment, faults: string[]): JsonObject {
  const text = env[VARIABLE];
  if (!text) return {};
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  faults.push(`${VARIABLE} is not a JSON object`);
  return {};
}
