import { type Budget, UsageGrouping, type UsageRow } from "@agentwire/api";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "../client.ts";
import { titleOfSession } from "../text/words.ts";
import { firstOfDays, mostFirst, type Share } from "./summary.ts";

/** A session's usage, with its budget. */
export interface SessionShare extends Share {
  readonly budget?: Budget;
}

/** Usage over a number of days, grouped in several ways, and today's budget. */
export interface UsageFacts {
  readonly byDay: readonly UsageRow[];
  readonly byModel: readonly UsageRow[];
  /** Only the most expensive sessions. */
  readonly bySession: readonly SessionShare[];
  /** The total number of sessions. */
  readonly sessions: number;
  /** Today's budget for all sessions together. */
  readonly budget: Budget | undefined;
}

const SHOWN_SESSIONS = 12;
const PAGE = 1000;

/** Loads the usage of the last days. */
export async function loadUsage(client: Client, days: number, nowMs: number): Promise<UsageFacts> {
  const fromDay = firstOfDays(days, nowMs);
  const [byDay, byModel, sessions, { budget }] = await Promise.all([
    listAll(client, UsageGrouping.DAY, fromDay),
    listAll(client, UsageGrouping.MODEL, fromDay),
    listAll(client, UsageGrouping.SESSION, fromDay),
    client.usage.getBudget({}),
  ]);
  const most = mostFirst(sessions).slice(0, SHOWN_SESSIONS);
  return {
    byDay,
    byModel: mostFirst(byModel),
    bySession: await Promise.all(most.map((row) => sessionShare(client, row))),
    sessions: sessions.length,
    budget,
  };
}

async function listAll({ usage }: Client, by: UsageGrouping, fromDay: string): Promise<readonly UsageRow[]> {
  const found: UsageRow[] = [];
  for (let pageToken = ""; ; ) {
    const page = await usage.listUsage({ by, fromDay, pageSize: PAGE, pageToken });
    found.push(...page.rows);
    pageToken = page.nextPageToken;
    if (pageToken === "") return found;
  }
}

/** Adds a session's title and budget; usage remains listed even after its session is deleted. */
async function sessionShare(
  { sessions, usage }: Client,
  { key: sessionId, usage: took }: UsageRow,
): Promise<SessionShare> {
  if (!took) throw new TypeError("a usage row without usage");
  try {
    const [{ session }, { budget }] = await Promise.all([
      sessions.getSession({ sessionId }),
      usage.getBudget({ sessionId }),
    ]);
    if (session) return { name: titleOfSession(session), usage: took, sessionId, ...(budget && { budget }) };
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.NotFound)) throw error;
  }
  return { name: "A deleted session", usage: took };
}
