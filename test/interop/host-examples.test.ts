import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { bundled } from "../bundled.ts";
import { startExamples } from "./host/run-example.ts";
import { installOfficialSdk } from "./install.ts";

vi.setConfig({ testTimeout: 90_000 });
await installOfficialSdk();

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OURS = await bundled(here("../../packages/host/src/index.ts"));
const THEIRS = here("node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs");

/** Examples that play another example's script. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "mcp-status": "query",
  "session-store": "resume",
  startup: "query",
  "system-prompt": "query",
};

const EXAMPLES = readdirSync(here("../../examples/sdk"))
  .filter((file) => file.endsWith(".mjs") && file !== "setup.mjs")
  .map((file) => file.replace(".mjs", ""));

const COUNTS = new Set([
  "usage",
  "modelUsage",
  "model_usage_since_last_result",
  "totalTokens",
  "total_tokens",
  "request_id",
]);

/** A provider counts tokens differently, and chooses names for replies and requests freely. */
const withoutCounts = (printed: unknown): unknown =>
  JSON.parse(
    JSON.stringify(printed, (key, value) => (COUNTS.has(key) ? undefined : value))
      .replaceAll(/\b(?:msg_script_\d+|id-\d+)\b/g, "id")
      .replaceAll(/\b(\w*tokens): \d+/g, "$1: 0"),
  );

const runners = {
  ours: startExamples(OURS),
  theirs: startExamples(THEIRS),
  elsewhere: startExamples(THEIRS),
};
afterAll(() => Promise.all(Object.values(runners).map((runner) => runner.end())));

describe("the same program yields the same messages with either SDK, and with a model of another provider", () => {
  test.each(EXAMPLES)("examples/sdk/%s.mjs", async (name) => {
    const script = SCRIPTS[name] ?? name;
    const [ours, theirs, elsewhere] = await Promise.all([
      runners.ours.run(name, script),
      runners.theirs.run(name, script),
      runners.elsewhere.run(name, script, "chat"),
    ]);
    expect(ours.messages.length + ours.remarks.length).toBeGreaterThan(1);
    expect(ours.messages).toEqual(theirs.messages);
    expect(ours.remarks).toEqual(theirs.remarks);
    expect(withoutCounts(elsewhere)).toEqual(withoutCounts(theirs));
  });
});
