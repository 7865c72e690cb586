import {
  type Budget,
  BudgetSchema,
  ListUsageResponseSchema,
  UsageGrouping,
  type UsageRow,
} from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { create } from "@bufbuild/protobuf";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { printCost, printSpent } from "../render/usage-line.ts";
import type { Client } from "../talk/client.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

const GROUPINGS: ReadonlyMap<string, UsageGrouping> = new Map([
  ["day", UsageGrouping.DAY],
  ["model", UsageGrouping.MODEL],
  ["session", UsageGrouping.SESSION],
]);

/** Shows usage and costs. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const client = await runningDaemon(io, "usage");
  const by = textOption(call, "by") ?? "day";
  const session = textOption(call, "session");
  const rows = await all(client, {
    by: GROUPINGS.get(by) ?? UsageGrouping.DAY,
    fromDay: textOption(call, "since") ?? "",
    sessionId: session === undefined ? "" : await sessionId(client, session),
  });
  if (json) io.stdout.write(jsonLine(ListUsageResponseSchema, create(ListUsageResponseSchema, { rows })));
  else if (rows.length === 0) io.stdout.write("No usage yet.\n");
  else
    io.stdout.write(
      table([[by.toUpperCase(), "COST", "IN", "OUT", "CACHE WRITE", "CACHE READ"], ...rows.map(row(by))]),
    );
  return EXIT_CODES.done;
}

interface UsageFilter {
  readonly by: UsageGrouping;
  readonly fromDay: string;
  readonly sessionId: string;
}

async function all({ usage }: Client, filter: UsageFilter): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (let pageToken = ""; ; ) {
    const page = await usage.listUsage({ ...filter, pageSize: 1000, pageToken });
    rows.push(...page.rows);
    pageToken = page.nextPageToken;
    if (pageToken === "") return rows;
  }
}

const row =
  (by: string) =>
  ({ key, usage }: UsageRow): string[] => [
    by === "session" ? shortId(key) : plain(key) || "(unknown)",
    usage ? printSpent(usage) : "",
    ...[
      usage?.inputTokens,
      usage?.outputTokens,
      usage?.cacheCreationInputTokens,
      usage?.cacheReadInputTokens,
    ].map((count) => (count ?? 0n).toLocaleString("en")),
  ];

/** Shows or sets a budget. */
export async function budget(call: Call): Promise<number> {
  const {
    io,
    json,
    args: [given],
  } = call;
  const limit = given === undefined ? undefined : limitOf(given);
  const client = await runningDaemon(io, "usage");
  const session = textOption(call, "session");
  const target = { sessionId: session === undefined ? "" : await sessionId(client, session) };
  const { budget: now } = limit
    ? await client.usage.setBudget({ ...target, ...limit })
    : await client.usage.getBudget(target);
  if (now) io.stdout.write(json ? jsonLine(BudgetSchema, now) : `${printBudget(now)}\n`);
  return EXIT_CODES.done;
}

function limitOf(given: string): { readonly limitUsd?: number } {
  if (given === "settings") return {};
  if (/^\$?\d{1,7}(\.\d{1,6})?$/.test(given)) return { limitUsd: Number(given.replace("$", "")) };
  throw new UsageError(`the budget must be an amount in dollars, such as 12.50, or "settings", not ${given}`);
}

function printBudget({ scope, spentUsd, limitUsd, stopped }: Budget): string {
  const whose = scope === "day" ? "Today" : "This session";
  const spent = `${whose}: ${printCost(spentUsd)} spent`;
  if (limitUsd === undefined) return `${spent}, without a limit`;
  return `${spent} of ${printCost(limitUsd)}${stopped ? "; no new turn starts until it is raised" : ""}`;
}
