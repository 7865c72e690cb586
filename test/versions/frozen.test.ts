import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { installVersions, programOf } from "./install.ts";

const TALK = fileURLToPath(new URL("frozen-talk.mjs", import.meta.url));
const OWN = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

describe("an agent whose tool is silent for longer than agents may be", { timeout: 240_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each([
    ["our own", "2.1.325", () => OWN],
    ["the official one", "1.0.128", () => programOf("claude-1.0.128")],
    ["the official one", "2.0.77", () => programOf("claude-2.0.77")],
    ["the official one", "2.1.325", () => programOf(NATIVE)],
  ])(
    "answers meanwhile and is left alone, and is ended when it is frozen: %s of %s",
    async (_, version, program) => {
      const { busy, frozen, failure } = await runInNamespace(TALK, [program(), version]);
      expect(failure).toBeUndefined();
      expect(busy).toMatchObject({ result: "success" });
      expect(busy.answers).toBeGreaterThan(0);
      expect(frozen).toMatchObject({ error: "silent", text: expect.stringContaining("frozen") });
    },
  );
});
