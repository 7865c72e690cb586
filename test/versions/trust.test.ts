import { beforeAll, describe, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

describe("in an untrusted checkout, a daemon", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each(["claude-1.0.128", "claude-2.0.77", NATIVE])(
    "starts %s without the project's files and says so, and uses them once the checkout is trusted",
    async (name) => {
      const said = await runTalk("trust-talk.mjs", await agentOf(name));
      expect(said.failure).toBeUndefined();
      expect(said.strange).toMatchObject({ done: [], claudeMd: false });
      expect(said.strange.notices[0]).toContain("is not trusted, so the agent was started without");
      expect(said.trusted).toMatchObject({ claudeMd: true, notices: [] });
      expect(said.trusted.done).toEqual(expect.arrayContaining(["hook", "local-hook", "mcp-server"]));
      expect(said.audited).toEqual(["given true"]);
    },
  );

  test.concurrent("does not start a version that can't be made to ignore them, until the checkout is trusted", async () => {
    const said = await runTalk("trust-talk.mjs", await agentOf("claude-1.0.22"));
    expect(said.failure).toBeUndefined();
    expect(said.strange.done).toEqual([]);
    expect(said.strange.notices.join()).toContain("can't be told to ignore its files");
    expect(said.trusted).toMatchObject({ claudeMd: true, notices: [] });
  });
});
