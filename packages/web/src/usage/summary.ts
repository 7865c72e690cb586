import type { Session, UsageReport } from "@agentwire/api";
import { titleOfSession, tokens } from "../text/words.ts";

/** The last report of a session: what all of it took so far. */
export interface SessionReport {
  readonly session: Session;
  readonly report: UsageReport;
  readonly timeMs: number;
}

/** What a day, a model or a session took. */
export interface Share {
  readonly name: string;
  readonly tokens: number;
  readonly costUsd: number;
  /** Where it leads, for sessions. */
  readonly sessionId?: string;
}

/** What was used, looked at in several ways. */
export interface UsageSummary {
  readonly total: Share;
  readonly byDay: readonly Share[];
  readonly byModel: readonly Share[];
  readonly bySession: readonly Share[];
  /** Sessions in which something has no known price: the sums hold less than was spent. */
  readonly unpriced: number;
}

/** Adds up what sessions took; a session counts on the day of its last turn. */
export function summarize(reports: readonly SessionReport[]): UsageSummary {
  const days = new Map<string, Share>();
  const models = new Map<string, Share>();
  const bySession = reports.map(({ session, report, timeMs }): Share => {
    const share = shareOf(titleOfSession(session), report.session);
    add(days, { ...share, name: dayOf(timeMs) });
    for (const { model, usage } of report.models) add(models, shareOf(model, usage));
    return { ...share, sessionId: session.id };
  });
  return {
    total: bySession.reduce(plus, { name: "total", tokens: 0, costUsd: 0 }),
    byDay: [...days.values()].sort((a, b) => b.name.localeCompare(a.name)),
    byModel: most([...models.values()]),
    bySession: most(bySession),
    unpriced: reports.filter(({ report }) => report.session?.costUsd === undefined).length,
  };
}

const shareOf = (name: string, usage: UsageReport["session"]): Share => ({
  name,
  tokens: usage ? tokens(usage) : 0,
  costUsd: usage?.costUsd ?? 0,
});

const plus = (sum: Share, share: Share): Share => ({
  ...sum,
  tokens: sum.tokens + share.tokens,
  costUsd: sum.costUsd + share.costUsd,
});

function add(shares: Map<string, Share>, share: Share): void {
  const known = shares.get(share.name);
  shares.set(share.name, known ? plus(known, share) : share);
}

const most = (shares: readonly Share[]) =>
  shares.toSorted((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);

/** The day of a time where we are, so that days end at midnight. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
