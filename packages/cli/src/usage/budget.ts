import { type Budget, BudgetSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { printCost } from "../render/usage-line.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

/** Shows or sets what may be spent. */
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
  throw new UsageError(`the budget is an amount in dollars, as 12.50, or "settings", not ${given}`);
}

function printBudget({ scope, spentUsd, limitUsd, stopped }: Budget): string {
  const whose = scope === "day" ? "Today" : "This session";
  const spent = `${whose}: ${printCost(spentUsd)} spent`;
  if (limitUsd === undefined) return `${spent}, without a limit`;
  return `${spent} of ${printCost(limitUsd)}${stopped ? "; nothing new begins until this is raised" : ""}`;
}
