import { claudeEntry } from "./claude-models.ts";
import type { ModelList } from "./list-models.ts";
import type { ListedModel } from "./listed-model.ts";
import { DEFAULT_PROVIDER, definedIn, factsOf, type Prices, type Provider } from "./provider.ts";

/** A model that people can choose; unknown facts are undefined. */
export interface ModelChoice {
  /** Its name wherever models are named: `provider/model`, or the plain name of a Claude model. */
  readonly name: string;
  readonly provider: string;
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly prices: Prices | undefined;
  readonly images: boolean | undefined;
  readonly documents: boolean | undefined;
  /** Also true for prompted calls. */
  readonly callsTools: boolean | undefined;
  readonly thinks: boolean | undefined;
}

/** The models of these lists; settings take precedence over the provider's list. */
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

/** The published facts about a Claude model, regardless of the provider's list. */
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
