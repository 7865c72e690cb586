/** Driving an agent, without the helpers that read sessions from disk: the official `./core`. */

export type * from "./index.ts";
export {
  AbortError,
  archiveSession,
  BUILTIN_TOOL_NAMES,
  createSdkMcpServer,
  deleteSession,
  EXIT_REASONS,
  filterEscalatingDefaultMode,
  HOOK_EVENTS,
  LEGACY_TOOL_NAME_ALIASES,
  matchDeniedModels,
  ORG_POLICY_LIMIT_PREFIXES,
  prewarm,
  query,
  renameSession,
  resolveSettings,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  startup,
  tagSession,
  tool,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
  unarchiveSession,
} from "./index.ts";
