import { modelUsage } from "../../content/usage.ts";
import { array, record } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";

const count = defaulted(number, 0);

const session = object({
  total_cost_usd: count,
  total_api_duration_ms: count,
  total_duration_ms: count,
  total_lines_added: count,
  total_lines_removed: count,
  model_usage: defaulted(record(modelUsage), {}),
});

const usedPart = {
  utilization: defaulted(nullable(number), null, "percent"),
  resets_at: defaulted(nullable(string), null),
};
const limitWindow = optional(nullable(object(usedPart)));

const rateLimits = object({
  five_hour: limitWindow,
  seven_day: limitWindow,
  seven_day_oauth_apps: limitWindow,
  seven_day_opus: limitWindow,
  seven_day_sonnet: limitWindow,
  model_scoped: optional(array(object({ display_name: string, ...usedPart }))),
  extra_usage: optional(
    nullable(
      object({
        is_enabled: defaulted(boolean, false),
        monthly_limit: defaulted(nullable(number), null),
        used_credits: defaulted(nullable(number), null),
        utilization: defaulted(nullable(number), null),
        currency: optional(nullable(string)),
      }),
    ),
  ),
});

const shares = defaulted(array(object({ name: string, pct: count })), []);

const behaviors = object({
  request_count: count,
  session_count: count,
  behaviors: defaulted(
    array(
      object({
        key: oneOf(
          "cache_miss",
          "long_context",
          "subagent_heavy",
          "high_parallel",
          "cron",
          "max_effort",
          "workflow",
          "always_on_context",
          "large_tool_results",
        ),
        pct: count,
        count,
      }),
    ),
    [],
  ),
  recommendations: optional(
    array(object({ key: string, pct: count, title: string, detail: optional(string) })),
  ),
  fix: optional(object({ keys: defaulted(array(string), []), messages: defaulted(array(string), []) })),
  agents: shares,
  skills: shares,
  plugins: shares,
  mcp_servers: shares,
});

/** Requests for the cost of the session. */
export const usageRequests = {
  get_usage: {
    request: about(
      "X",
      "Asks for the session's cost and how much of the plan's limits has been used.",
      object({
        subtype: literal("get_usage"),
        skip_behaviors: optional(boolean, "true: skips the scan of earlier sessions"),
      }),
    ),
    response: object({
      session,
      subscription_type: defaulted(nullable(string), null),
      rate_limits_available: defaulted(boolean, false),
      rate_limits: defaulted(nullable(rateLimits), null),
      behaviors: defaulted(nullable(object({ day: behaviors, week: behaviors })), null),
    }),
  },
  get_session_cost: {
    request: about(
      "X",
      "Asks for the session's cost as text for people.",
      object({ subtype: literal("get_session_cost") }),
    ),
    response: object({ text: defaulted(string, "") }),
  },
};
