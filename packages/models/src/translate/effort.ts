import type { MessagesRequest } from "../request.ts";

const LEVELS: Readonly<Record<string, string>> = {
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** How hard the model is asked to think, in the words of OpenAI; undefined if that is left to it. */
export function effortOf({ output_config, thinking }: MessagesRequest): string | undefined {
  const level = output_config?.effort;
  if (typeof level === "string") return LEVELS[level];
  const budget = thinking?.type === "enabled" ? thinking.budget_tokens : undefined;
  if (typeof budget !== "number") return undefined;
  if (budget < 4_096) return "low";
  return budget < 16_384 ? "medium" : "high";
}
