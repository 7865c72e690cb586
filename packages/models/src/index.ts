/** Requests, replies and errors of model calls, independent of the provider. */

export { type CompletedBlock, type Fold, startFold } from "./fold.ts";
export {
  MISSING_CREDENTIALS,
  ModelError,
  type ModelErrorOptions,
  NOT_LISTENING,
} from "./model-error.ts";
export { ALIASES, claudeEntry, type ModelEntry, WEB_SEARCH_USD } from "./providers/claude-models.ts";
export { costByPrices } from "./providers/cost.ts";
export { KeyHelper } from "./providers/key-helper.ts";
export { DEFAULT_PROVIDER } from "./providers/provider.ts";
export type { MessagesRequest, ModelClient, ModelReply, RequestMessage, RequestTool } from "./request.ts";
export { isForeignThinking } from "./translate/reasoning-state.ts";
export { readRetryAfter } from "./translate/retry-after.ts";
