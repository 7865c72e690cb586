import { SessionSchema, UsageReportSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { summarize } from "../../src/usage/summary.ts";

const report = (id: string, day: number, model: string, outputTokens: bigint, costUsd?: number) => {
  const usage = { outputTokens, ...(costUsd !== undefined && { costUsd }) };
  return {
    session: create(SessionSchema, { id, title: id }),
    report: create(UsageReportSchema, { session: usage, models: [{ model, usage }] }),
    timeMs: new Date(2026, 0, day, 12).getTime(),
  };
};

test("what sessions took is added up by day, model and session, the most expensive first", () => {
  const summary = summarize([
    report("a", 1, "small", 10n, 1),
    report("b", 2, "large", 20n, 5),
    report("c", 2, "small", 30n, 2),
    report("d", 2, "local", 40n),
  ]);
  expect(summary.total).toMatchObject({ tokens: 100, costUsd: 8 });
  expect(summary.byDay.map(({ name, costUsd }) => [name, costUsd])).toEqual([
    ["2026-01-02", 7],
    ["2026-01-01", 1],
  ]);
  expect(summary.byModel.map(({ name, tokens }) => [name, tokens])).toEqual([
    ["large", 20],
    ["small", 40],
    ["local", 40],
  ]);
  expect(summary.bySession.map(({ name }) => name)).toEqual(["b", "c", "a", "d"]);
  expect(summary.unpriced).toBe(1);
});
