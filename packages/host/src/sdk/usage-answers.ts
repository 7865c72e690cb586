import type { ContextUse, ExtraUsage, SessionTotals } from "./usage.ts";

type Weight = { name: string; tokens: number };
type Placed = { source: string; pluginId?: string; path?: string; tokens: number };

type Category = Weight & {
  id?:
    | "system_prompt"
    | "system_tools"
    | "mcp_tools"
    | "mcp_instructions"
    | "mcp_tools_deferred"
    | "system_tools_deferred"
    | "custom_agents"
    | "memory_files"
    | "skills"
    | "messages"
    | "autocompact_buffer"
    | "compact_buffer"
    | "free_space";
  color: string;
  isDeferred?: boolean;
  kind: ContextUse;
};

type Square = {
  color: string;
  isFilled: boolean;
  categoryName: string;
  tokens: number;
  percentage: number;
  squareFullness: number;
};

type MessageBreakdown = {
  toolCallTokens: number;
  toolResultTokens: number;
  attachmentTokens: number;
  assistantMessageTokens: number;
  userMessageTokens: number;
  redirectedContextTokens: number;
  unattributedTokens: number;
  toolCallsByType: { name: string; callTokens: number; resultTokens: number }[];
  attachmentsByType: Weight[];
};

/** What fills the context window, in full detail. */
export type SDKControlGetContextUsageResponse = {
  categories: Category[];
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  gridRows: Square[][];
  model: string;
  memoryFiles: { path: string; type: string; tokens: number }[];
  mcpTools: (Weight & { serverName: string; isLoaded?: boolean })[];
  mcpInstructions?: { serverName: string; tokens: number }[];
  deferredBuiltinTools?: (Weight & { isLoaded: boolean })[];
  systemTools?: Weight[];
  systemPromptSections?: Weight[];
  agents: (Placed & { agentType: string })[];
  slashCommands?: { totalCommands: number; includedCommands: number; tokens: number };
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: (Placed & { name: string; pluginName?: string })[];
  };
  autoCompactThreshold?: number;
  isAutoCompactEnabled: boolean;
  messageBreakdown?: MessageBreakdown;
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
};

type Window = { utilization: number | null; resets_at: string | null };
type Share = { name: string; pct: number };

type Behaviors = {
  request_count: number;
  session_count: number;
  behaviors: {
    key:
      | "cache_miss"
      | "long_context"
      | "subagent_heavy"
      | "high_parallel"
      | "cron"
      | "max_effort"
      | "workflow"
      | "always_on_context"
      | "large_tool_results";
    pct: number;
    count: number;
  }[];
  recommendations?: { key: string; pct: number; title: string; detail?: string }[];
  fix?: { keys: string[]; messages: string[] };
  agents: Share[];
  skills: Share[];
  plugins: Share[];
  mcp_servers: Share[];
};

/** What the session and the account have used. */
export type SDKControlGetUsageResponse = {
  session: SessionTotals;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: Window | null;
    seven_day?: Window | null;
    seven_day_oauth_apps?: Window | null;
    seven_day_opus?: Window | null;
    seven_day_sonnet?: Window | null;
    model_scoped?: (Window & { display_name: string })[];
    extra_usage?: ExtraUsage | null;
  } | null;
  behaviors: { day: Behaviors; week: Behaviors } | null;
};
