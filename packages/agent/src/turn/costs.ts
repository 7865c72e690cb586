import { type ModelUsage, NO_USAGE, type Usage } from "@agentwire/protocol";
import { contextTokens } from "../compact/threshold.ts";
import { costOf, modelInfo } from "../model/pricing.ts";

/** Adds up what model calls used and cost, for the session and since the last result. */
export class Costs {
  #total = new Map<string, ModelUsage>();
  #sinceResult = new Map<string, ModelUsage>();
  #turn: Usage = NO_USAGE;
  /** Time spent waiting for the model. */
  apiMs = 0;
  /** How much of the context window the conversation took in its last call; 0 while nobody has counted. */
  contextTokens = 0;
  /** False as soon as one call's price is not known: unknown is not zero. */
  #known = true;

  /** Notes a finished call; `isMain` if it belongs to the turn itself and not to a subagent or a side call. */
  add(model: string, usage: Usage, isMain: boolean): void {
    const cost = costOf(model, usage);
    if (cost === undefined) this.#known = false;
    this.#total.set(model, plus(this.#total.get(model), model, usage, cost));
    this.#sinceResult.set(model, plus(this.#sinceResult.get(model), model, usage, cost));
    if (!isMain) return;
    this.#turn = sum(this.#turn, usage);
    this.contextTokens = contextTokens(usage);
  }

  /** What all calls cost; undefined if a price is not known. */
  get totalUsd(): number | undefined {
    if (!this.#known) return undefined;
    return [...this.#total.values()].reduce((total, usage) => total + (usage.costUSD ?? 0), 0);
  }

  get turnUsage(): Usage {
    return this.#turn;
  }

  get byModel(): { [model: string]: ModelUsage } {
    return Object.fromEntries(this.#total);
  }

  /** What was used since this was last asked; begins a new turn. */
  takeSinceResult(): { [model: string]: ModelUsage } {
    const taken = Object.fromEntries(this.#sinceResult);
    this.#sinceResult = new Map();
    this.#turn = NO_USAGE;
    return taken;
  }

  /** Forgets everything: a new conversation begins. */
  reset(): void {
    this.#total = new Map();
    this.#known = true;
    this.apiMs = 0;
    this.contextTokens = 0;
  }
}

function plus(
  before: ModelUsage | undefined,
  model: string,
  usage: Usage,
  cost: number | undefined,
): ModelUsage {
  const info = modelInfo(model);
  return {
    inputTokens: (before?.inputTokens ?? 0) + usage.input_tokens,
    outputTokens: (before?.outputTokens ?? 0) + usage.output_tokens,
    cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cache_read_input_tokens,
    cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cache_creation_input_tokens,
    webSearchRequests: (before?.webSearchRequests ?? 0) + (usage.server_tool_use?.web_search_requests ?? 0),
    ...(cost !== undefined && { costUSD: (before?.costUSD ?? 0) + cost }),
    ...(info && {
      contextWindow: info.contextWindow,
      maxOutputTokens: info.maxOutputTokens,
      canonicalModel: info.canonical,
    }),
  };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    ...b,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}
