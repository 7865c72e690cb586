import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ACP_CLIENT_ALWAYS, ACP_CLIENT_THEMES } from "../../packages/conformance/src/acp/client-scenarios.ts";
import { ACP_THEMES, scoreAcpAgent } from "../../packages/conformance/src/acp/score-agent.ts";
import { scoreHost } from "../../packages/conformance/src/host-score/score-host.ts";
import type { ScenarioScore } from "../../packages/conformance/src/score.ts";
import { bundled } from "../bundled.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const problemsIn = (outcomes: readonly ScenarioScore[]) =>
  Object.fromEntries(
    outcomes
      .filter(({ verdict }) => verdict !== "match")
      .map(({ scenario, hard }) => [scenario, hard.map(({ text }) => text)]),
  );

/** The problems of a client program, by scenario. */
async function clientProblems(program: string, names?: readonly string[]) {
  const themes = ACP_CLIENT_THEMES.map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter((scenario) => names?.includes(scenario.name) ?? true),
  }));
  const outcomes = await scoreHost({
    command: [process.execPath, await bundled(here(program))],
    environment: process.env,
    themes,
    always: ACP_CLIENT_ALWAYS,
    jobs: 4,
    limitMs: 30_000,
  });
  expect(outcomes.length).toBe(themes.flatMap(({ scenarios }) => scenarios).length);
  return problemsIn(outcomes);
}

describe("the score of the Agent Client Protocol", { timeout: 120_000 }, () => {
  // npm run soak:acp and the editor in clients.test.ts cover the other themes.
  test("is perfect for our agent in the themes questions, cancel and sessions", async () => {
    const themes = ACP_THEMES.filter(({ name }) => ["questions", "cancels", "sessions"].includes(name));
    const command = [here("../../packages/agent/bin/agentwire-agent"), "--acp"];
    const outcomes = await scoreAcpAgent({
      themes,
      command,
      environment: process.env,
      jobs: 4,
      limitMs: 60_000,
    });
    expect(outcomes.length).toBeGreaterThan(14);
    expect(problemsIn(outcomes)).toEqual({});
  });

  test("names the faults of an agent of a few lines", async () => {
    const themes = ACP_THEMES.map(({ name, scenarios }) => ({
      name,
      scenarios: scenarios.filter((one) => ["initialize", "unknown-method", "prompt"].includes(one.name)),
    }));
    const command = [process.execPath, here("clients/poor-agent.mjs")];
    const outcomes = await scoreAcpAgent({
      themes,
      command,
      environment: process.env,
      jobs: 4,
      limitMs: 60_000,
    });
    expect(problemsIn(outcomes)).toEqual({
      initialize: [
        "protocolVersion is absent, not 1",
        expect.stringContaining("InitializeResponse must have required property 'protocolVersion'"),
      ],
      "unknown-method": [
        "session/no_such_method should be refused, but returns {}",
        expect.stringContaining("InitializeResponse must have required property 'protocolVersion'"),
      ],
      prompt: [
        "the agent exits (3) before the answer to session/new",
        expect.stringContaining("InitializeResponse"),
      ],
    });
  });

  test("is perfect for a client on our library", async () => {
    expect(await clientProblems("clients/agentwire.mjs")).toEqual({});
  });

  test("is perfect for a client on the official library, in the scenarios that the library does not decide itself", async () => {
    const names = ["prompt", "unknown-updates", "allow", "cancel", "unknown-request", "failed-turn"];
    expect(await clientProblems("clients/official.mjs", names)).toEqual({});
  });
});
