import { BudgetSchema, type Usage, UsageGrouping, type UsageService } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { type Amount, tokensOf } from "../store/amount.ts";
import type { Grouping } from "../store/usage-query.ts";
import type { BudgetState } from "../usage/budgets.ts";
import { toUsage } from "../usage/to-usage.ts";
import { callerOf } from "./caller.ts";

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;
const MAX_USD = 1_000_000;

const GROUPINGS: Readonly<Record<UsageGrouping, Grouping>> = {
  [UsageGrouping.UNSPECIFIED]: "day",
  [UsageGrouping.DAY]: "day",
  [UsageGrouping.MODEL]: "model",
  [UsageGrouping.SESSION]: "session",
};

/** Reports usage, and manages budgets. */
export function usageService({ store, budgets, registry, audit }: Daemon): ServiceImpl<typeof UsageService> {
  const stateOf = async (sessionId: string) => {
    if (sessionId === "") return budgets.day();
    const { usage } = (await registry.get(sessionId)).facts;
    return budgets.session(sessionId, usage.costUsd ?? 0);
  };
  return {
    async listUsage({ by, fromDay, toDay, sessionId, pageSize, pageToken }) {
      const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
      const grouping = GROUPINGS[by] ?? "day";
      const after = pageToken === "" ? undefined : Buffer.from(pageToken, "base64url").toString("utf8");
      const query = { by: grouping, fromDay: day(fromDay), toDay: day(toDay), sessionId, after };
      const found = await store.usage.list({ ...query, limit: limit + 1 });
      const page = found.slice(0, limit);
      return {
        rows: page.map(([key, amount]) => ({ key, usage: toUsage(amount) })),
        // A model's name may be empty, but a page token may not; "=" decodes to an empty string.
        nextPageToken:
          found.length > limit ? Buffer.from(page.at(-1)?.[0] ?? "").toString("base64url") || "=" : "",
      };
    },

    async getBudget({ sessionId }) {
      return { budget: toBudget(await stateOf(sessionId)) };
    },

    async setBudget({ sessionId, limitUsd }, context) {
      const before = await stateOf(sessionId);
      if (limitUsd !== undefined && !(limitUsd >= 0 && limitUsd <= MAX_USD))
        throw new DaemonError("INVALID_ARGUMENT", `limit_usd: give an amount from 0 to ${MAX_USD}`);
      const note = audit({
        kind: "budget",
        actor: callerOf(context),
        action: limitUsd === undefined ? "reset" : "set",
        subject: sessionId || budgets.today,
        detail: `${said(before.limitUsd)} to ${limitUsd === undefined ? "the settings' value" : said(limitUsd)}`,
      });
      await budgets.set(sessionId, limitUsd, note);
      registry.afford();
      return { budget: toBudget(await stateOf(sessionId)) };
    },

    async bookUsage({ model, usage }) {
      if (model === "" || model.length > MAX_NAME || !usage)
        throw new DaemonError(
          "INVALID_ARGUMENT",
          `give a model name of at most ${MAX_NAME} characters, and its usage`,
        );
      const amount = bookedAmount(usage);
      const day = budgets.today;
      await store.write([{ type: "addUsage", sessionId: GATEWAY, day, model, amount }]);
      budgets.spend(amount.costUsd ?? 0);
      return {};
    },
  };
}

/** The usage of gateways is listed under this name instead of a session id. */
const GATEWAY = "gateway";
const MAX_NAME = 200;
/** Sums of counts up to this limit stay exact. */
const MAX_TOKENS = 2n ** 40n;

function bookedAmount({ costUsd, ...usage }: Usage): Amount {
  if (costUsd !== undefined && !(costUsd >= 0 && costUsd <= MAX_USD))
    throw new DaemonError("INVALID_ARGUMENT", `cost_usd: give an amount from 0 to ${MAX_USD}`);
  const tokens = tokensOf((kind) => Number(usage[kind] > MAX_TOKENS ? MAX_TOKENS : usage[kind]));
  const isUnknown = costUsd === undefined && Object.values(tokens).some((count) => count > 0);
  return { ...tokens, costUsd, isIncomplete: isUnknown };
}

const said = (usd: number | undefined) => (usd === undefined ? "no limit" : `$${usd}`);

function toBudget({ scope, spentUsd, limitUsd, warnUsd, level }: BudgetState) {
  return create(BudgetSchema, {
    scope,
    spentUsd,
    warnUsd,
    stopped: level === "stopped",
    ...(limitUsd !== undefined && { limitUsd }),
  });
}

function day(given: string): string {
  if (given === "" || /^\d{4}-\d{2}-\d{2}$/.test(given)) return given;
  throw new DaemonError("INVALID_ARGUMENT", "give days in the form 2026-01-31");
}
