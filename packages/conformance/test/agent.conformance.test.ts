import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { debianProgram } from "../../../test/debian.ts";
import { openShared } from "../src/agent-driver/shared-process.ts";
import { deviationsOf } from "../src/deviations.ts";
import { percent } from "../src/report.ts";
import { THEMES } from "../src/scenarios/all.ts";
import { score } from "../src/score.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

const fastThemes = THEMES.map(({ name, scenarios }) => ({
  name,
  scenarios: scenarios.filter(({ slow }) => !slow),
}));

/** Scenarios that our agent fails without a recorded decision. They are removed from this list when the agent passes them. */
const KNOWN_GAPS: readonly string[] = [];

test("our agent behaves as recorded, except for intended deviations and known gaps", {
  timeout: 300_000,
}, async () => {
  const command = [AGENT];
  const outcomes = await score({
    command,
    environment: process.env,
    themes: fastThemes,
    jobs: 4,
    limitMs: 40_000,
  });
  const failures = outcomes.filter(({ verdict }) => verdict === "mismatch");
  expect(failures.filter(({ scenario }) => !KNOWN_GAPS.includes(scenario))).toEqual([]);
  expect(failures.map(({ scenario }) => scenario).toSorted()).toEqual(KNOWN_GAPS);
  const deviating = outcomes.filter(({ verdict }) => verdict === "deviation").map(({ scenario }) => scenario);
  expect(deviating.toSorted()).toEqual(
    deviationsOf(command)
      .map(({ scenario }) => scenario)
      .toSorted(),
  );
  expect(outcomes.flatMap(({ leftOver }) => leftOver)).toEqual([]);
  expect(percent(outcomes)).toBeGreaterThanOrEqual(90);
});

/** The themes most relevant to a session that shares its process; `--one-process --jobs 50` plays all themes. */
const AMONG_OTHERS = ["turns", "permissions", "interrupt", "streaming", "queueing", "process"];

test("our agent also behaves as recorded as one of many sessions of a process", {
  timeout: 300_000,
}, async () => {
  const shared = await openShared([AGENT], process.env.PATH);
  onTestFinished(() => shared.close());
  const outcomes = await score({
    command: [AGENT],
    environment: process.env,
    themes: fastThemes.filter(({ name }) => AMONG_OTHERS.includes(name)),
    start: shared.start,
    jobs: 50,
    limitMs: 120_000,
  });
  expect(outcomes.length).toBeGreaterThan(30);
  expect(outcomes.filter(({ verdict }) => verdict === "mismatch")).toEqual([]);
  expect(outcomes.flatMap(({ leftOver }) => leftOver)).toEqual([]);
});
