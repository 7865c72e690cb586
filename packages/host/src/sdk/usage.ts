import type { BetaUsage } from "@anthropic-ai/sdk/resources/beta/messages/messages.mjs";

/** Tokens spent, with no count missing. */
export type NonNullableUsage = {
  [Key in keyof BetaUsage]: Key extends "fallback_credit" ? BetaUsage[Key] : NonNullable<BetaUsage[Key]>;
};

/** What one model has cost a session. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreationEphemeral5mInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  canonicalModel?: string;
  provider?: string;
  costBasis?: "list" | "managed" | "unknown";
};

/** What a session has cost and done so far. */
export type SessionTotals = {
  total_cost_usd: number;
  total_api_duration_ms: number;
  total_duration_ms: number;
  total_lines_added: number;
  total_lines_removed: number;
  model_usage: Record<string, ModelUsage>;
};

/** What an account has used beyond its plan. */
export type ExtraUsage = {
  is_enabled: boolean;
  monthly_limit: number | null;
  used_credits: number | null;
  utilization: number | null;
  currency?: string | null;
};

type Named = { display_name: string } | null;

type ReportedLimit = {
  kind: string;
  group: string;
  percent: number;
  resets_at: string | null;
  scope?: { model?: Named; surface?: Named } | null;
  severity: string;
  is_active: boolean;
};

/** The costs and limits reported with a reply. */
export type SDKUsageReport = {
  session: SessionTotals;
  rate_limits: { limits: ReportedLimit[] | null; extra_usage?: ExtraUsage | null } | null;
};

/** The kind of a part of the context window. */
export type ContextUse = "used" | "free" | "buffer" | "deferred";

/** One part of the context window. */
export type SDKContextUsageCategory = { name: string; tokens: number; kind: ContextUse };

/** What fills the context window, as reported with a reply. */
export type SDKContextUsage = {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: { tokens_over: number; kind: "hard_limit" | "compaction_window" };
  categories: SDKContextUsageCategory[];
  mcp_tools: { name: string; server_name: string; tokens: number }[];
  memory_files: { path: string; type: string; tokens: number }[];
  agents: { agent_type: string; source: string; tokens: number }[];
  skills?: { name: string; source: string; plugin_name?: string; tokens: number }[];
};

type LimitStatus = "allowed" | "allowed_warning" | "rejected";

/** How much of a plan's allowance is left. */
export type SDKRateLimitInfo = {
  status: LimitStatus;
  resetsAt?: number;
  rateLimitType?:
    | "five_hour"
    | "seven_day"
    | "seven_day_opus"
    | "seven_day_sonnet"
    | "seven_day_overage_included"
    | "overage";
  utilization?: number;
  surpassedThreshold?: number;
  overageStatus?: LimitStatus;
  overageResetsAt?: number;
  overageDisabledReason?:
    | "overage_not_provisioned"
    | "org_level_disabled"
    | "org_level_disabled_until"
    | "out_of_credits"
    | "seat_tier_level_disabled"
    | "member_level_disabled"
    | "seat_tier_zero_credit_limit"
    | "group_zero_credit_limit"
    | "member_zero_credit_limit"
    | "org_service_level_disabled"
    | "no_limits_configured"
    | "fetch_error"
    | "unknown";
  isUsingOverage?: boolean;
  overageInUse?: boolean;
  overageEnabled?: boolean;
  limitScope?: "service" | "channel" | "group_pool";
  errorCode?: "credits_required";
  canUserPurchaseCredits?: boolean;
  hasChargeableSavedPaymentMethod?: boolean;
};
