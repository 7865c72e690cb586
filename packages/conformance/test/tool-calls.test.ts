import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { nameOf } from "../src/tool-calls/call-group.ts";
import { DIFFERENCES } from "../src/tool-calls/differences.ts";
import { type CallComparison, type JudgedCall, judge } from "../src/tool-calls/judge.ts";
import { playCalls } from "../src/tool-calls/play-calls.ts";
import { type Results, readRecordedResults } from "../src/tool-calls/recorded-results.ts";
import { CALL_GROUPS } from "../src/tool-calls/tables/all.ts";

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));
const OPTIONS = { command: [AGENT], environment: process.env, limitMs: 60_000 };

test("the table has at least 300 calls, all of them recorded", async () => {
  const recorded = await readRecordedResults();
  const names = CALL_GROUPS.map(({ name, calls }) => [name, calls.map(nameOf)] as const);
  expect(names.flatMap(([, calls]) => calls).length).toBeGreaterThanOrEqual(300);
  expect(names).toEqual(Object.entries(recorded).map(([name, calls]) => [name, Object.keys(calls)]));
});

describe("the results of our tools", () => {
  let official: Results;
  let judged: readonly JudgedCall[];

  beforeAll(async () => {
    official = await readRecordedResults();
    const played = await Promise.all(
      CALL_GROUPS.map(async (group) => [group.name, Object.fromEntries(await playCalls(group, OPTIONS))]),
    );
    judged = judge(official, Object.fromEntries(played));
  }, 90_000);

  const withVerdict = (verdict: CallComparison) => judged.filter((call) => call.verdict === verdict);

  test("match those of the official agent, except for listed differences", () => {
    expect(withVerdict("different")).toEqual([]);
  });

  test("differ in every listed case", () => {
    const listed = withVerdict("listed").map(({ group, call }) => ({ group, call }));
    expect(listed).toEqual(expect.arrayContaining(DIFFERENCES.map(({ group, call }) => ({ group, call }))));
  });

  test("have the same success or failure for nearly every call, and the same text for most", () => {
    const otherwise = judged.filter(({ official, ours }) => official.isError !== ours?.isError);
    expect(otherwise.map(({ call }) => call)).toEqual([
      "Grep: a newline without multiline",
      "Bash: set -e",
      "Bash: removing the folder it is in",
    ]);
    expect(withVerdict("same").length).toBeGreaterThan(0.7 * judged.length);
  });
});
