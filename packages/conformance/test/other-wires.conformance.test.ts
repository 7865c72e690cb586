import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { THEMES } from "../src/scenarios/all.ts";
import { score } from "../src/score.ts";

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));

/** Scenarios about the Messages API itself: its signatures of thoughts, and who is asked without its key. */
const ABOUT_MESSAGES = ["no-api-key", "thinking-partial", "thinking-plain"];

/** The sandbox is around commands, whoever asks for them. */
const themes = THEMES.filter(({ name }) => name !== "sandbox").map(({ name, scenarios }) => ({
  name,
  scenarios: scenarios.filter(({ name: scenario, slow }) => !slow && !ABOUT_MESSAGES.includes(scenario)),
}));

test.each(["chat", "responses"] as const)(
  "our agent says the same to its host with %s under it",
  { timeout: 300_000 },
  async (wire) => {
    const options = { command: [AGENT], environment: process.env, themes, jobs: 6, limitMs: 40_000 };
    const outcomes = await score({ ...options, wire });
    expect(outcomes.filter(({ verdict }) => verdict === "mismatch")).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(130);
    expect(outcomes.flatMap(({ leftOver }) => leftOver)).toEqual([]);
  },
);
