import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

const OWN = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));

describe("an agent whose tool is silent for longer than the silence deadline", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each([
    ["our own", OWN],
    ["1.0.128", "claude-1.0.128"],
    ["2.0.77", "claude-2.0.77"],
    ["2.1.325", NATIVE],
  ])("is left alone if it answers, and is ended if it is frozen: %s", async (_, name) => {
    const { busy, frozen, failure } = await runTalk(
      "frozen-talk.mjs",
      name === OWN ? OWN : await agentOf(name),
    );
    expect(failure).toBeUndefined();
    expect(busy).toMatchObject({ result: "success" });
    expect(busy.answers).toBeGreaterThan(0);
    expect(frozen).toMatchObject({ error: "silent", text: expect.stringContaining("frozen") });
  });
});
