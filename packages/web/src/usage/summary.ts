import { type Usage, type UsageRow, UsageSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { tokens } from "../text/words.ts";

/** The usage of a day, a model or a session. */
export interface Share {
  readonly name: string;
  readonly usage: Usage;
  /** The session to link to, if it still exists. */
  readonly sessionId?: string;
}

const DAY_MS = 86_400_000;

/** The UTC day of a moment, as the daemon counts days. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The first day of a period of `days` days that ends at a moment. */
export const firstOfDays = (days: number, nowMs: number): string => dayOf(nowMs - (days - 1) * DAY_MS);

/** The sum of all rows; a row without a price makes the sum incomplete, not unknown. */
export function total(rows: readonly UsageRow[]): Usage {
  return rows.reduce((sum, { usage }) => (usage ? plus(sum, usage) : sum), create(UsageSchema));
}

function plus(a: Usage, b: Usage): Usage {
  const isPriced = a.costUsd !== undefined || b.costUsd !== undefined;
  return create(UsageSchema, {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    ...(isPriced && { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) }),
    costIncomplete: isIncomplete(a) || isIncomplete(b),
  });
}

const isIncomplete = (usage: Usage) =>
  usage.costIncomplete || (usage.costUsd === undefined && tokens(usage) > 0);

/** Sorts by cost, highest first; rows without a price come last, by tokens. */
export function mostFirst(rows: readonly UsageRow[]): readonly UsageRow[] {
  const worth = ({ usage }: UsageRow) => [usage?.costUsd ?? -1, usage ? tokens(usage) : 0] as const;
  return rows.toSorted((a, b) => worth(b)[0] - worth(a)[0] || worth(b)[1] - worth(a)[1]);
}

/** One share for each of the last days, oldest first, including days without usage. */
export function everyDay(rows: readonly UsageRow[], days: number, nowMs: number): readonly Share[] {
  const known = new Map(rows.map(({ key, usage }) => [key, usage]));
  return Array.from({ length: days }, (_, index) => {
    const name = firstOfDays(days - index, nowMs);
    return { name, usage: known.get(name) ?? create(UsageSchema) };
  });
}
