import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { debianProgram } from "../../../test/debian.ts";
import { openShared } from "../src/agent-driver/shared-process.ts";
import { deviationsOf } from "../src/deviations.ts";
import { percent } from "../src/report.ts";
import { THEMES } from "../src/scenarios/all.ts";
import { type ScenarioScore, score } from "../src/score.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

const fastThemes = THEMES.map(({ name, scenarios }) => ({
  name,
  scenarios: scenarios.filter(({ slow }) => !slow),
}));

/** Scenarios that our agent fails without a recorded decision. They are removed from this list when the agent passes them. */
const KNOWN_GAPS: readonly string[] = [];

/** Checks everything about the outcomes that does not depend on how many scenarios were played. */
function expectAsRecorded(outcomes: readonly ScenarioScore[]): void {
  const failures = outcomes.filter(({ verdict }) => verdict === "mismatch");
  expect(failures.filter(({ scenario }) => !KNOWN_GAPS.includes(scenario))).toEqual([]);
  expect(outcomes.flatMap(({ leftOver }) => leftOver)).toEqual([]);
}

/** The themes most relevant to a session that shares its process, which are played 50 at once. In others, some scenarios depend on time. */
const AMONG_MANY = ["turns", "permissions", "interrupt", "streaming", "queueing", "process"];

test("our agent behaves as recorded as one of many sessions of a process, except for intended deviations and known gaps", {
  timeout: 300_000,
}, async () => {
  const command = [AGENT];
  const shared = await openShared(command, process.env.PATH);
  onTestFinished(() => shared.close());
  const play = (isAmongMany: boolean, jobs: number) =>
    score({
      command,
      environment: process.env,
      themes: fastThemes.filter(({ name }) => AMONG_MANY.includes(name) === isAmongMany),
      start: shared.start,
      jobs,
      limitMs: 120_000,
    });
  const outcomes = [...(await play(true, 50)), ...(await play(false, 8))];
  expectAsRecorded(outcomes);
  const scenariosWith = (wanted: ScenarioScore["verdict"]) =>
    outcomes
      .filter(({ verdict }) => verdict === wanted)
      .map(({ scenario }) => scenario)
      .toSorted();
  expect(scenariosWith("mismatch")).toEqual(KNOWN_GAPS);
  expect(scenariosWith("deviation")).toEqual(
    deviationsOf(command)
      .map(({ scenario }) => scenario)
      .toSorted(),
  );
  expect(percent(outcomes)).toBeGreaterThanOrEqual(90);
});

/** The themes about the process itself: its input, its exit, and what the next process finds. */
const ABOUT_PROCESS = ["process", "bad-input", "sessions"];

test("our agent also behaves as recorded as a process for each scenario", { timeout: 300_000 }, async () => {
  const outcomes = await score({
    command: [AGENT],
    environment: process.env,
    // Of the other themes one scenario: `other-wires` plays all of them with an agent that is not one of many sessions.
    themes: fastThemes.map(({ name, scenarios }) => ({
      name,
      scenarios: ABOUT_PROCESS.includes(name) ? scenarios : scenarios.slice(0, 1),
    })),
    jobs: 4,
    limitMs: 40_000,
  });
  expect(outcomes.length).toBeGreaterThan(30);
  expectAsRecorded(outcomes);
});
