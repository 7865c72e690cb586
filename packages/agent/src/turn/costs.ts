import type { JsonObject } from "@agentwire/protocol";
import { type ModelUsage, NO_USAGE, type Usage } from "@agentwire/protocol/messages";
import { ModelCatalog } from "../model/catalog.ts";
import { contextTokens } from "../model/context-window.ts";
import { costLine, type SpentByModel } from "../store/cost-line.ts";

/** Continues the costs of an earlier process of the conversation, if there was one. */
export function restoredCosts(
  earlier:
    | { readonly contextTokens: number | undefined; readonly spent: SpentByModel | undefined }
    | undefined,
  catalog: ModelCatalog,
): Costs {
  const costs = new Costs(catalog);
  costs.contextTokens = earlier?.contextTokens ?? 0;
  if (earlier?.spent) costs.restore(earlier.spent);
  return costs;
}

/** Sums up the usage and cost of model calls, for the session and since the last result. */
export class Costs {
  readonly #catalog: ModelCatalog;
  #total = new Map<string, ModelUsage>();
  #sinceResult = new Map<string, ModelUsage>();
  #turn: Usage = NOTHING_USED;
  /** Time spent waiting for the model. */
  apiMs = 0;
  /** How many tokens of the context window the conversation used in its last call; 0 before the first. */
  contextTokens = 0;
  /** The cost of earlier processes of the conversation. */
  #earlierUsd = 0;
  #isNoted = true;
  /** False once a call has an unknown price: unknown is not zero. */
  #known = true;

  constructor(catalog = new ModelCatalog()) {
    this.#catalog = catalog;
  }

  /** Adds a finished call; `isMain` if it belongs to the turn itself and not to a subagent or a side query. */
  add(model: string, usage: Usage, isMain: boolean): void {
    const cost = this.#catalog.costOf(model, usage);
    const limits = this.#limitsOf(model);
    if (cost === undefined) this.#known = false;
    this.#isNoted = false;
    this.#total.set(model, { ...plus(this.#total.get(model), usage, cost), ...limits });
    this.#sinceResult.set(model, { ...plus(this.#sinceResult.get(model), usage, cost), ...limits });
    if (!isMain) return;
    this.#turn = sum(this.#turn, usage);
    this.contextTokens = contextTokens(usage);
  }

  /** The cost of all calls; undefined if a price is not known. */
  get totalUsd(): number | undefined {
    if (!this.#known) return undefined;
    return [...this.#total.values()].reduce((total, usage) => total + (usage.costUSD ?? 0), 0);
  }

  /** The cost of this process's calls; undefined if a price is not known. */
  get spentUsd(): number | undefined {
    const total = this.totalUsd;
    return total === undefined ? undefined : total - this.#earlierUsd;
  }

  /** Continues from the costs of an earlier process of the conversation. */
  restore(spent: SpentByModel): void {
    for (const [model, used] of spent) {
      if (used.costUSD === undefined) this.#known = false;
      this.#total.set(model, { ...used, ...this.#limitsOf(model) });
      this.#earlierUsd += used.costUSD ?? 0;
    }
  }

  /** What a later process needs to continue counting; undefined if nothing has changed since the last call. */
  takeNote(): JsonObject | undefined {
    if (this.#isNoted) return undefined;
    this.#isNoted = true;
    return costLine(this.#total, this.totalUsd);
  }

  get turnUsage(): Usage {
    return this.#turn;
  }

  get byModel(): { [model: string]: ModelUsage } {
    return Object.fromEntries(this.#total);
  }

  /** The usage since the last call of this; starts a new turn. */
  takeSinceResult(): { [model: string]: ModelUsage } {
    const taken = Object.fromEntries(this.#sinceResult);
    this.#sinceResult = new Map();
    this.#turn = NOTHING_USED;
    return taken;
  }

  #limitsOf(model: string): Pick<ModelUsage, "contextWindow" | "maxOutputTokens" | "canonicalModel"> {
    const info = this.#catalog.infoOf(model);
    if (!info) return {};
    const { contextWindow, maxOutputTokens, canonical } = info;
    return {
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      canonicalModel: canonical,
    };
  }

  /** Resets everything for a new conversation. */
  reset(): void {
    this.#total = new Map();
    this.#known = true;
    this.#earlierUsd = 0;
    this.apiMs = 0;
    this.contextTokens = 0;
  }
}

function plus(before: ModelUsage | undefined, usage: Usage, cost: number | undefined): ModelUsage {
  return {
    inputTokens: (before?.inputTokens ?? 0) + usage.input_tokens,
    outputTokens: (before?.outputTokens ?? 0) + usage.output_tokens,
    cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cache_read_input_tokens,
    cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cache_creation_input_tokens,
    webSearchRequests: (before?.webSearchRequests ?? 0) + (usage.server_tool_use?.web_search_requests ?? 0),
    ...(cost !== undefined && { costUSD: (before?.costUSD ?? 0) + cost }),
  };
}

/** Hosts may rely on every counter of a result, even if no model was called for it. */
const NOTHING_USED: Usage = {
  ...NO_USAGE,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: "",
  speed: "standard",
};

function sum(a: Usage, b: Usage): Usage {
  const known = Object.entries(b).filter(([, value]) => value !== null && value !== undefined);
  const [tools, more] = [a.server_tool_use, b.server_tool_use];
  const [kept, added] = [a.cache_creation, b.cache_creation];
  const thought = a.output_tokens_details?.thinking_tokens ?? 0;
  return {
    ...a,
    ...Object.fromEntries(known),
    output_tokens_details: {
      thinking_tokens: thought + (b.output_tokens_details?.thinking_tokens ?? 0),
    },
    server_tool_use: {
      web_search_requests: (tools?.web_search_requests ?? 0) + (more?.web_search_requests ?? 0),
      web_fetch_requests: (tools?.web_fetch_requests ?? 0) + (more?.web_fetch_requests ?? 0),
    },
    cache_creation: {
      ephemeral_1h_input_tokens:
        (kept?.ephemeral_1h_input_tokens ?? 0) + (added?.ephemeral_1h_input_tokens ?? 0),
      ephemeral_5m_input_tokens:
        (kept?.ephemeral_5m_input_tokens ?? 0) + (added?.ephemeral_5m_input_tokens ?? 0),
    },
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}
