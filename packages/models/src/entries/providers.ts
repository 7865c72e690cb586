/** Which providers there are, and what is known of their models. */

export { factsOf, type ModelFacts, type Prices, type Provider, type Wire } from "../providers/provider.ts";
export { type NamedModel, type ProviderSources, Providers } from "../providers/providers.ts";
