import { claudeEntry } from "./claude-models.ts";
import type { ModelList } from "./list-models.ts";
import type { ListedModel } from "./listed-model.ts";
import { DEFAULT_PROVIDER, definedIn, factsOf, type Prices, type Provider } from "./provider.ts";

/** A model that people can choose; what is not known of it is undefined. */
export interface ModelChoice {
  /** What it is called wherever a model is named: `provider/model`, or the plain name of one of Claude's. */
  readonly name: string;
  readonly provider: string;
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly prices: Prices | undefined;
  readonly images: boolean | undefined;
  readonly documents: boolean | undefined;
  /** Prompted calls count. */
  readonly callsTools: boolean | undefined;
  readonly thinks: boolean | undefined;
}

/** The models of these lists; what settings say of a model counts before what its provider says. */
export const modelChoices = (lists: readonly ModelList[]): ModelChoice[] =>
  lists.flatMap(({ provider, models }) => models.map((model) => choiceOf(provider, model)));

function choiceOf(provider: Provider, listed: ListedModel): ModelChoice {
  const isClaude = provider.wire === "messages" && provider.name === DEFAULT_PROVIDER;
  const { id } = listed;
  const { tools, ...told } = factsOf(provider, id);
  const published = isClaude ? publishedOf(id) : {};
  const facts = { ...published, ...definedIn(listed), ...definedIn(told) };
  return {
    name: isClaude ? id : `${provider.name}/${id}`,
    provider: provider.name,
    contextWindow: facts.contextWindow,
    maxOutputTokens: facts.maxOutputTokens,
    prices: facts.prices,
    images: facts.images,
    documents: facts.documents,
    callsTools: tools === undefined ? facts.callsTools : true,
    thinks: facts.thinks,
  };
}

/** What is known of Claude's models, whatever their list says. */
function publishedOf(id: string): Partial<ListedModel> {
  const entry = claudeEntry(id);
  if (!entry) return { callsTools: true };
  const { input, output, cacheRead, cacheWrite5m: cacheWrite, contextWindow, maxOutputTokens } = entry;
  return {
    prices: { input, output, cacheRead, cacheWrite },
    contextWindow,
    maxOutputTokens,
    images: true,
    documents: true,
    callsTools: true,
    thinks: entry.thinks !== undefined,
  };
}
