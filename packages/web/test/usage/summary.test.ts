import { UsageRowSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { cost } from "../../src/text/words.ts";
import { everyDay, firstOfDays, mostFirst, total } from "../../src/usage/summary.ts";

const row = (key: string, outputTokens: bigint, costUsd?: number) =>
  create(UsageRowSchema, { key, usage: { outputTokens, ...(costUsd !== undefined && { costUsd }) } });

test("a total with some unpriced usage is shown as a minimum, and one without any price as unknown", () => {
  expect(cost(total([row("a", 1n, 1), row("b", 2n, 5)]))).toBe("$6.00");
  expect(cost(total([row("a", 1n, 1), row("b", 2n)]))).toBe(">$1.00");
  expect(cost(total([row("a", 1n)]))).toBe("cost unknown");
  expect(cost(total([]))).toBe("");
  expect(cost(total([row("free", 1n, 0)]))).toBe("$0.00");
});

test("the most expensive rows come first, and unpriced rows come last, by tokens", () => {
  const rows = [row("a", 1n, 1), row("d", 9n), row("b", 2n, 5), row("free", 1n, 0), row("c", 99n)];
  expect(mostFirst(rows).map(({ key }) => key)).toEqual(["b", "a", "free", "c", "d"]);
});

test("every day of a period is listed, including days without usage", () => {
  const now = Date.UTC(2026, 2, 2, 23, 59);
  expect(firstOfDays(1, now)).toBe("2026-03-02");
  const days = everyDay([row("2026-03-02", 7n, 1), row("2026-02-28", 5n, 1)], 4, now);
  expect(days.map(({ name, usage }) => [name, Number(usage.outputTokens)])).toEqual([
    ["2026-02-27", 0],
    ["2026-02-28", 5],
    ["2026-03-01", 0],
    ["2026-03-02", 7],
  ]);
});
