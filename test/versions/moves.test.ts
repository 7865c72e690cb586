import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { newDatabase } from "../../packages/daemon/test/postgres/database.ts";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

const OURS = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));

describe("a session that continues at a node with another home folder", {
  timeout: 480_000,
}, () => {
  beforeAll(installVersions, 600_000);

  test.each([
    ["the official agent", () => agentOf(NATIVE)],
    ["our agent", async () => OURS],
  ])("is remembered by %s", async (_, agent) => {
    const said = await runTalk("moves-talk.mjs", await agent(), [await newDatabase()]);
    expect(said).toEqual({
      first: ["Hello there."],
      moved: ["I remember."],
      remembers: true,
      back: ["Going on."],
      remembersAll: true,
      takenOver: ["All of it."],
      remembersThen: true,
      files: [1, 1],
    });
  });
});
