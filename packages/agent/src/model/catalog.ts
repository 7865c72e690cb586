import { costByPrices, DEFAULT_PROVIDER } from "@agentwire/models";
import type { Usage } from "@agentwire/protocol/messages";
import { KnownProviders } from "./known-providers.ts";
import { costOf, type ModelInfo, modelInfo, USUAL_REPLY_TOKENS } from "./pricing.ts";

/** What is known about models: about Claude from its price list, about other models from the settings of their provider. */
export class ModelCatalog {
  readonly #providers: KnownProviders;

  constructor(providers = new KnownProviders()) {
    this.#providers = providers;
  }

  /** The limits of a model; unknown ones are undefined. */
  infoOf(name: string): ModelInfo | undefined {
    const named = this.#providers.known(name);
    if (!named) return modelInfo(name);
    const { provider, facts } = named;
    // This provider may serve Claude through another wire.
    const listed = provider.name === DEFAULT_PROVIDER ? modelInfo(name) : undefined;
    const { contextWindow = listed?.contextWindow, maxOutputTokens = listed?.maxOutputTokens } = facts;
    const usual = listed?.replyTokens ?? USUAL_REPLY_TOKENS;
    const replyTokens = maxOutputTokens === undefined ? undefined : Math.min(usual, maxOutputTokens);
    const { canonical = name, thinks, alwaysThinks = false } = listed ?? {};
    return { canonical, contextWindow, maxOutputTokens, replyTokens, thinks, alwaysThinks };
  }

  /** The cost of a call in US dollars; undefined, and never zero, for a model whose price is not known. */
  costOf(name: string, usage: Usage): number | undefined {
    const named = this.#providers.known(name);
    if (named?.facts.prices) return costByPrices(named.facts.prices, usage);
    return named && named.provider.name !== DEFAULT_PROVIDER ? undefined : costOf(name, usage);
  }

  /** The full names of other providers' models that the settings describe. */
  get described(): readonly string[] {
    return this.#providers.available.flatMap(({ name, models }) =>
      Object.keys(models).flatMap((model) => (model === "*" ? [] : [`${name}/${model}`])),
    );
  }
}
