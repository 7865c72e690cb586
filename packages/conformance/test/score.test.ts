import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../src/agent-driver/sandbox.ts";
import { deviationsOf } from "../src/deviations.ts";
import { jsonReport, percent, printOutcome, printTable } from "../src/report.ts";
import { THEMES } from "../src/scenarios/all.ts";
import { type ScenarioScore, score } from "../src/score.ts";
import { writeAgent } from "./fake-agent.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await makeSandbox();
});

afterAll(() => sandbox.remove());

const only = (...names: readonly string[]) =>
  THEMES.map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter((one) => names.includes(one.name)),
  }));

async function scoreAgent(code: string, ...names: readonly string[]): Promise<readonly ScenarioScore[]> {
  const command = await writeAgent(sandbox, code);
  return score({ command, environment: process.env, themes: only(...names), jobs: 2, limitMs: 4000 });
}

describe("the score", () => {
  test("is a match for an agent that is silent in a scenario without output", async () => {
    const [outcome] = await scoreAgent("onLine(() => {});", "stdin-eof-before-message");
    expect(outcome).toMatchObject({ theme: "process", verdict: "match", hard: [], soft: [], leftOver: [] });
  });

  test("names what a silent agent omits, and that the limit was reached", async () => {
    const [outcome] = await scoreAgent("onLine(() => {});", "simple-text");
    expect(outcome?.verdict).toBe("mismatch");
    expect(outcome?.hard.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^system\/init is missing/),
      expect.stringMatching(/^assistant: text is missing/),
      expect.stringMatching(/^result is missing/),
      expect.stringMatching(/^exit is \[137\], not \[0\]/),
      "the time limit of 4 s was reached",
    ]);
  });

  test("names noise, a wrong exit code and a false fact", async () => {
    const outcomes = await scoreAgent(`say("noise"); process.exit(3);`, "bash-permission-allow", "bad-flag");
    const texts = outcomes.flatMap(({ hard }) => hard.map(({ text }) => text)).join("\n");
    expect(texts).toMatch(/not a message is unexpected/);
    expect(texts).toMatch(/exit is \[3\], not \[1\]/);
    expect(texts).toMatch(/made is absent, not true/);
    expect(texts).toMatch(/nothing on stderr says why/);
  });
});

const outcome = (theme: string, scenario: string, verdict: ScenarioScore["verdict"]): ScenarioScore => ({
  theme,
  scenario,
  verdict,
  hard: verdict === "match" ? [] : [{ severity: "hard", text: "x is 1, not 2", lines: { expected: 3 } }],
  soft: [],
  ...(verdict === "deviation" && { why: "it is better so" }),
  leftOver: [],
  ms: 5,
});

const OUTCOMES = [
  outcome("turns", "a", "match"),
  outcome("turns", "b", "mismatch"),
  outcome("flags", "c", "deviation"),
];

describe("the report", () => {
  test("does not count deviations as matches", () => {
    expect(percent(OUTCOMES)).toBe(33);
    expect(printTable(OUTCOMES)).toBe(
      [
        "theme  match  deviation  mismatch  score",
        "flags      0          1         0    0 %",
        "turns      1          0         1   50 %",
        "all        1          1         1   33 %",
        "",
      ].join("\n"),
    );
  });

  test("shows the most important difference of each scenario", () => {
    expect(OUTCOMES.map((one) => printOutcome(one)).join("")).toBe(
      [
        "match      a",
        "mismatch   b  hard: x is 1, not 2 (recording line 3)",
        "deviation  c  deviates on purpose: it is better so",
        "",
      ].join("\n"),
    );
  });

  test("is available as JSON", () => {
    const report = JSON.parse(jsonReport({ agent: ["agent"] }, OUTCOMES));
    expect(report).toMatchObject({
      agent: ["agent"],
      total: 3,
      match: 1,
      deviation: 1,
      mismatch: 1,
      percent: 33,
    });
    expect(report.scenarios).toHaveLength(3);
  });
});

test("deviations exist only for our agent and name existing scenarios", () => {
  expect(deviationsOf(["node", "other.js"])).toEqual([]);
  const names = THEMES.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
  const deviations = deviationsOf(["/somewhere/agentwire-agent"]);
  expect(deviations.length).toBeGreaterThan(0);
  for (const { scenario } of deviations) expect(names).toContain(scenario);
});
