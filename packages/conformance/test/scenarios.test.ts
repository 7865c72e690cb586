import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { RECORDINGS } from "../src/recording.ts";
import { THEMES } from "../src/scenarios/all.ts";

/** Recordings of the official SDK at work, which no scenario here produces. */
const LED_BY_THE_SDK = [
  "sdk-all-options",
  "sdk-canUseTool",
  "sdk-interrupt",
  "sdk-mcp",
  "sdk-set-model-mode",
  "sdk-string-prompt",
];

test("every recording has one scenario, and every scenario has its recording", () => {
  const recordings = readdirSync(RECORDINGS).map((file) => basename(file, ".jsonl"));
  const scenarios = THEMES.flatMap((theme) => theme.scenarios.map(({ name }) => name));
  expect(scenarios.toSorted()).toEqual(
    recordings.filter((name) => !LED_BY_THE_SDK.includes(name)).toSorted(),
  );
});
