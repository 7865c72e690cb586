import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { THEMES } from "../src/scenarios/all.ts";
import { score } from "../src/score.ts";

const AGENT = fileURLToPath(new URL("../../agent/bin/agentwire-agent", import.meta.url));
const BROKEN = fileURLToPath(new URL("broken-agent.mjs", import.meta.url));

/** The score of our agent in one scenario if one thing about it is broken. */
async function scoreBroken(fault: string, name: string) {
  const themes = THEMES.map((theme) => ({
    ...theme,
    scenarios: theme.scenarios.filter((scenario) => scenario.name === name),
  }));
  const command = [process.execPath, BROKEN, fault, AGENT];
  // Some faults make the scenario wait until the limit; an agent without a fault never does.
  const limitMs = fault === "no-fault" ? 40_000 : 4000;
  const [outcome] = await score({ command, environment: process.env, themes, jobs: 1, limitMs });
  return { verdict: outcome?.verdict, why: outcome?.hard.map(({ text }) => text).join("\n") };
}

describe("a broken agent", { timeout: 60_000 }, () => {
  test.each(["two-turns", "partial-messages", "read-tool", "bash-permission-allow", "initialize-twice"])(
    "matches in %s if nothing is broken",
    async (scenario) => {
      expect(await scoreBroken("no-fault", scenario)).toEqual({ verdict: "match", why: "" });
    },
  );

  test.each([
    ["result-missing", "simple-text", /result is missing/],
    ["result-twice", "two-turns", /result is unexpected/],
    ["init-missing", "two-turns", /system\/init is missing/],
    [
      "answer-to-nobody",
      "initialize-twice",
      /without the answer to initialize|unknown request is unexpected/,
    ],
    ["deltas-out-of-order", "partial-messages", /text is .*not/],
    ["tool-result-lost", "read-tool", /tool_result .*is missing/],
    ["result-before-answer", "simple-text", /assistant: text is (?:missing|unexpected)/],
    ["question-without-input", "bash-permission-allow", /can_use_tool Bash: input\.command is absent/],
    ["session-id-changes", "two-turns", /result: session is/],
    ["failure-is-success", "simple-text", /result: is_error is true, not false/],
    ["text-altered", "two-turns", /assistant: text: text is "1st answer\."/],
    ["noise", "simple-text", /not a message is unexpected/],
  ])("is detected: %s", async (fault, scenario, why) => {
    const outcome = await scoreBroken(fault, scenario);
    expect(outcome).toEqual({ verdict: "mismatch", why: expect.stringMatching(why) });
  });
});
