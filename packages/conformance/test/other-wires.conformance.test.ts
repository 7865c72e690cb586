import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { THEMES } from "../src/scenarios/all.ts";
import type { Scenario } from "../src/scenarios/scenario.ts";
import { score } from "../src/score.ts";
import { startInProcess } from "./in-process-agent.ts";

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

/** Scenarios about the Messages API itself: its signatures of thoughts, and who is asked without its key. */
const ABOUT_MESSAGES = ["no-api-key", "thinking-partial", "thinking-plain"];

/** Scenarios in which a signal is sent; what the agent says in all others it says inside the test as well. */
const NEED_PROCESS = ["sigterm-mid-turn"];

/** The sandbox is around commands, whoever asks for them. */
const themesOf = (isWanted: (scenario: Scenario) => boolean) =>
  THEMES.filter(({ name }) => name !== "sandbox").map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter(
      (scenario) => !scenario.slow && !ABOUT_MESSAGES.includes(scenario.name) && isWanted(scenario),
    ),
  }));

test.each(["chat", "responses"] as const)(
  "our agent says the same to its host with %s under it",
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
