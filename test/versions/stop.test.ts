import { beforeAll, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

beforeAll(installVersions, 600_000);

/** What docs/guides/operating.md says about a prompt that waits when a daemon is stopped. */
test("stopping a daemon takes a waiting prompt back from Claude Code 2.1.325, and the next daemon runs it once", async () => {
  const said = await runTalk("stop-talk.mjs", await agentOf(NATIVE));
  expect(said).toEqual({ seenBeforeStop: 0, seen: 1, said: ["Seen."] });
}, 480_000);
