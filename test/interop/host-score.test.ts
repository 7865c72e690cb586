import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { HOST_THEMES, scoreHost } from "../../packages/conformance/src/host-score/score-host.ts";
import { bundled } from "../bundled.ts";
import { installOfficialSdk } from "./install.ts";

/** Scenarios in which the official SDK waits for the limit, because it has no deadlines. */
const NEED_DEADLINES = ["freeze", "agent-that-stays"];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAMS = {
  // It is a single file already.
  official: async () => here("./hosts/official.mjs"),
  agentwire: () => bundled(here("./hosts/agentwire.mjs")),
  "agentwire-session": () => bundled(here("./hosts/agentwire-session.mjs")),
};

const ALL = HOST_THEMES.map(({ name }) => name);

/** The problems of a host program, by scenario. */
async function problemsOf(
  program: keyof typeof PROGRAMS,
  themes: readonly string[],
  without: readonly string[] = [],
) {
  const chosen = HOST_THEMES.filter(({ name }) => themes.includes(name)).map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter((scenario) => !without.includes(scenario.name)),
  }));
  const outcomes = await scoreHost({
    command: [process.execPath, await PROGRAMS[program]()],
    environment: process.env,
    themes: chosen,
    jobs: 4,
    limitMs: 20_000,
  });
  expect(outcomes.length).toBe(chosen.flatMap(({ scenarios }) => scenarios).length);
  const failures = outcomes.filter(({ verdict }) => verdict !== "match");
  return Object.fromEntries(failures.map(({ scenario, hard }) => [scenario, hard.map(({ text }) => text)]));
}

describe("the score of a host program", { timeout: 200_000 }, () => {
  beforeAll(installOfficialSdk, 300_000);

  test("is perfect for a session of our host library", async () => {
    expect(await problemsOf("agentwire-session", ALL)).toEqual({});
  });

  test("is perfect for our library in place of the official SDK", async () => {
    expect(await problemsOf("agentwire", ALL)).toEqual({});
  });

  test("shows that the official SDK, on the same source, misses one failure", async () => {
    expect(await problemsOf("official", ["callbacks", "questions", "endings"], NEED_DEADLINES)).toEqual({
      "quiet-exit-without-a-result": ["the agent failed, but the host reports success"],
    });
  });
});
