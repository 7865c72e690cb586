import { MAX_TIMER_MS } from "@agentwire/protocol/support";

/** How long a provider asks to wait, from any of the headers in use; undefined if missing or invalid. */
export function readRetryAfter(headers: Pick<Headers, "get"> | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return Math.min(milliseconds, MAX_TIMER_MS);
  const text = headers?.get("retry-after")?.trim();
  if (!text) return undefined;
  // An HTTP date ends in GMT; without this check, Date.parse would read any number as a year.
  const wait = text.endsWith("GMT") ? Date.parse(text) - now : Number(text) * 1000;
  return wait >= 0 ? Math.min(wait, MAX_TIMER_MS) : undefined;
}

/** Gemini puts it in the details, others in the message: `"retryDelay": "39s"`, `try again in 1.5s`, `in 250ms`. */
const IN_TEXT =
  /(?:retryDelay\W+|(?:try|retry) again in |retry after )(\d+(?:\.\d+)?)\s?(ms|s\b|seconds?|m\b|minutes?)/i;

/** How long a provider asks to wait, if only the body of the response says so. */
export function readRetryText(body: unknown): number | undefined {
  const [, amount, unit = ""] =
    IN_TEXT.exec(typeof body === "string" ? body : (JSON.stringify(body) ?? "")) ?? [];
  if (amount === undefined) return undefined;
  const factor = unit === "ms" ? 1 : unit.startsWith("m") ? 60_000 : 1000;
  return Math.min(Number(amount) * factor, MAX_TIMER_MS);
}
