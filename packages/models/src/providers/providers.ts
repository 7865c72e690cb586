import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "../json.ts";
import { DEFAULT_PROVIDER, factsOf, type ModelFacts, type Provider } from "./provider.ts";
import { type Environment, readProvider, wellKnownProvider } from "./read-provider.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** What says which providers there are. */
export interface ProviderSources {
  /** `providers` of the settings. */
  readonly table?: unknown;
  readonly env: Environment;
}

/** A model of a provider, by both names. */
export interface NamedModel {
  readonly provider: Provider;
  /** The model as the provider calls it. */
  readonly model: string;
  readonly facts: ModelFacts;
}

/** The variable that holds providers as JSON, for where there are no settings; those of the settings count more. */
const VARIABLE = "AGENTWIRE_PROVIDERS";

/** The providers of one environment. */
export class Providers {
  /** What is wrong with their descriptions, each with its provider in front. */
  readonly faults: readonly string[];
  readonly #described = new Map<string, Provider>();
  /** Well-known ones that were asked for: there is one connection for each provider. */
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

  /** The provider of this name, if anything says where it is. */
  get(name: string): Provider | undefined {
    return this.#described.get(name) ?? this.#wellKnown(name);
  }

  /** The model that `provider/model` stands for; undefined for the name of a model of the Messages API. */
  named(name: string): NamedModel | undefined {
    const slash = name.indexOf("/");
    const own = slash < 0 ? undefined : this.#meant(name.slice(0, slash));
    if (own) return modelOf(own, name.slice(slash + 1));
    const standing = this.#described.get(DEFAULT_PROVIDER);
    return standing && modelOf(standing, name);
  }

  /** Why `provider/model` leads nowhere, and what helps. */
  absence(name: string): string {
    const provider = name.slice(0, name.indexOf("/"));
    const fault = this.faults.find((one) => one.startsWith(`providers.${provider} `));
    if (fault !== undefined) return `The model ${name} can't be asked: ${fault} in the settings.`;
    const variable = WELL_KNOWN.get(provider)?.address?.variable;
    if (variable !== undefined)
      return `The model ${name} can't be asked: set ${variable} to the address of ${provider}, or providers.${provider}.baseUrl in the settings.`;
    const known = [...new Set([...this.#described.keys(), ...WELL_KNOWN.keys()])].join(", ");
    const entry = `{"providers": {${JSON.stringify(provider)}: {"baseUrl": "https://…/v1"}}}`;
    return `There is no provider ${provider} for the model ${name}. Known are ${known}; any other needs an entry in ~/.claude/settings.json: ${entry}`;
  }

  /** Those that can be asked: described ones, and well-known ones whose variable is set. */
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

  /** Behind a gateway for the Messages API, names with a slash are that gateway's, unless we have what such a provider needs. */
  #meant(name: string): Provider | undefined {
    const described = this.#described.get(name);
    if (described) return described;
    const provider = this.#wellKnown(name);
    const isReady = provider?.apiKey !== undefined || WELL_KNOWN.get(name)?.isLocal === true;
    return isReady || !this.#env.ANTHROPIC_BASE_URL ? provider : undefined;
  }
}

/** What follows a name in brackets is said to the agent, not to the provider. */
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
