import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { THEMES } from "../src/scenarios/all.ts";
import type { Scenario } from "../src/scenarios/scenario.ts";
import { score } from "../src/score.ts";
import { startInProcess } from "./in-process-agent.ts";

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

/** Scenarios about the Messages API itself: signatures of thinking, and a missing API key. */
const ABOUT_MESSAGES = ["no-api-key", "thinking-partial", "thinking-plain"];

/** Scenarios that send a signal. In all others the agent says the same when it runs inside the test. */
const NEED_PROCESS = ["sigterm-mid-turn"];

/** All themes except the sandbox, which surrounds commands regardless of the wire. */
const themesOf = (isWanted: (scenario: Scenario) => boolean) =>
  THEMES.filter(({ name }) => name !== "sandbox").map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter(
      (scenario) => !scenario.slow && !ABOUT_MESSAGES.includes(scenario.name) && isWanted(scenario),
    ),
  }));

test.each(["chat", "responses"] as const)(
  "our agent says the same to its host if the model is reached with %s",
  { timeout: 300_000 },
  async (wire) => {
    const options = { command: [AGENT], environment: process.env, wire, jobs: 6, limitMs: 40_000 };
    const inside = themesOf(({ name }) => !NEED_PROCESS.includes(name));
    const started = themesOf(({ name }) => NEED_PROCESS.includes(name));
    const outcomes = [
      ...(await score({ ...options, themes: inside, start: startInProcess })),
      ...(await score({ ...options, themes: started })),
    ];
    expect(outcomes.filter(({ verdict }) => verdict === "mismatch")).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(130);
    expect(outcomes.flatMap(({ leftOver }) => leftOver)).toEqual([]);
  },
);
