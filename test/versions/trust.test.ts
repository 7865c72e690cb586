import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { installVersions, programOf } from "./install.ts";

const TALK = fileURLToPath(new URL("trust-talk.mjs", import.meta.url));
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

describe("under a daemon, in a checkout that nobody trusts", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.each(["claude-1.0.128", "claude-2.0.77", NATIVE])(
    "%s is started without the project's files, says so, and heeds them once there is trust",
    async (name) => {
      const said = await runInNamespace(TALK, [programOf(name)]);
      expect(said.failure).toBeUndefined();
      expect(said.strange).toMatchObject({ done: [], claudeMd: false });
      expect(said.strange.notices[0]).toContain("is not trusted, so the agent was started without");
      expect(said.trusted).toMatchObject({ claudeMd: true, notices: [] });
      expect(said.trusted.done).toEqual(expect.arrayContaining(["hook", "local-hook", "mcp-server"]));
      expect(said.audited).toEqual(["given true"]);
    },
  );

  test("a version that can't be kept from them is not started", async () => {
    const said = await runInNamespace(TALK, [programOf("claude-1.0.22")]);
    expect(said.strange.done).toEqual([]);
    expect(said.strange.notices.join()).toContain("can't be kept from what its files ask for");
  });
});
