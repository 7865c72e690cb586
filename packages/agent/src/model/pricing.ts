import { ALIASES, claudeEntry, type ModelEntry, WEB_SEARCH_USD } from "@agentwire/models";
import type { Usage } from "@agentwire/protocol/messages";

/** What is known about a model. */
export interface ModelInfo {
  /** The name without date, provider prefix or suffix. */
  readonly canonical: string;
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** The default token limit of a reply. */
  readonly replyTokens: number | undefined;
  readonly thinks: ModelEntry["thinks"];
  readonly alwaysThinks: boolean;
}

/** The default token limit of a reply if nothing else is known. */
export const USUAL_REPLY_TOKENS = 32_000;

/** The model that a short name such as `opus` refers to; any other name refers to itself. `opus[1m]` keeps its suffix. */
export function resolveModel(name: string): string {
  const suffix = name.indexOf("[");
  const base = suffix < 0 ? name : name.slice(0, suffix);
  return (ALIASES.get(base.toLowerCase()) ?? base) + name.slice(base.length);
}

/** The limits of a model, by any of its names; undefined if it is not in the list. */
export function modelInfo(name: string): ModelInfo | undefined {
  const entry = entryOf(name);
  if (!entry) return undefined;
  const { name: canonical, contextWindow, maxOutputTokens, thinks, alwaysThinks = false } = entry;
  const replyTokens = entry.replyTokens ?? Math.min(USUAL_REPLY_TOKENS, maxOutputTokens);
  return { canonical, contextWindow, maxOutputTokens, replyTokens, thinks, alwaysThinks };
}

/** The cost of a call in US dollars; undefined, and never zero, for a model whose price is not known. */
export function costOf(name: string, usage: Usage): number | undefined {
  const entry = entryOf(name);
  if (!entry) return undefined;
  const prompt = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const factor = entry.longPrompt && prompt > entry.longPrompt.above ? entry.longPrompt.factor : 1;
  const write1h = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const tokens =
    millions(usage.input_tokens) * entry.input +
    millions(usage.output_tokens) * entry.output +
    millions(usage.cache_creation_input_tokens - write1h) * entry.cacheWrite5m +
    millions(write1h) * entry.cacheWrite1h +
    millions(usage.cache_read_input_tokens) * entry.cacheRead;
  return tokens * factor + (usage.server_tool_use?.web_search_requests ?? 0) * WEB_SEARCH_USD;
}

const millions = (count: number) => count / 1_000_000;

const entryOf = (name: string): ModelEntry | undefined => claudeEntry(resolveModel(name));
