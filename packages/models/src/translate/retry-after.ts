import { MAX_TIMER_MS } from "@agentwire/protocol/support";

/** How long a provider asks to wait, in any of the ways to say it in a header; undefined if it does not, or makes no sense. */
export function readRetryAfter(headers: Pick<Headers, "get"> | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return Math.min(milliseconds, MAX_TIMER_MS);
  const text = headers?.get("retry-after")?.trim();
  if (!text) return undefined;
  // A date of HTTP ends in GMT; without that, Date.parse makes a year out of any number.
  const wait = text.endsWith("GMT") ? Date.parse(text) - now : Number(text) * 1000;
  return wait >= 0 ? Math.min(wait, MAX_TIMER_MS) : undefined;
}

/** Gemini says it in its details, others in the sentence itself: `"retryDelay": "39s"`, `try again in 1.5s`, `in 250ms`. */
const IN_TEXT =
  /(?:retryDelay\W+|(?:try|retry) again in |retry after )(\d+(?:\.\d+)?)\s?(ms|s\b|seconds?|m\b|minutes?)/i;

/** How long a provider asks to wait, where it says so only in the body of its answer. */
export function readRetryText(body: unknown): number | undefined {
  const [, amount, unit = ""] =
    IN_TEXT.exec(typeof body === "string" ? body : (JSON.stringify(body) ?? "")) ?? [];
  if (amount === undefined) return undefined;
  const factor = unit === "ms" ? 1 : unit.startsWith("m") ? 60_000 : 1000;
  return Math.min(Number(amount) * factor, MAX_TIMER_MS);
}
