import type { MessagesRequest } from "../request.ts";

const LEVELS: Readonly<Record<string, string>> = {
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** The requested reasoning effort in OpenAI's terms; undefined if it is left to the model. */
export function effortOf({ output_config, thinking }: MessagesRequest): string | undefined {
  const level = output_config?.effort;
  if (typeof level === "string") return LEVELS[level];
  const budget = thinking?.type === "enabled" ? thinking.budget_tokens : undefined;
  if (typeof budget !== "number") return undefined;
  if (budget < 4_096) return "low";
  return budget < 16_384 ? "medium" : "high";
}
