/** The available providers and the known facts about their models. */

export type { ModelFacts, Prices, Provider, Wire } from "../providers/provider.ts";
export { type NamedModel, type ProviderSources, Providers } from "../providers/providers.ts";
export type { Environment } from "../providers/read-provider.ts";
