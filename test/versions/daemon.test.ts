import { COMPATIBILITY_MATRIX, OUR_PROGRAM } from "@agentwire/protocol/compatibility";
import { beforeAll, describe, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE, NEWEST } from "./install.ts";
import { runTalk } from "./talk.ts";

/** Moving queued prompts is tested with the newest agent only, because it takes two more processes. */
const talk = async (name: string) =>
  runTalk("daemon-talk.mjs", await agentOf(name), name === NATIVE ? ["moved"] : []);

const SUCCESS = { isError: false, subtype: "success" };
const STOPPED = { isError: true, subtype: "error_during_execution" };

describe("a published agent run through the daemon", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each([
    ["1.0.128", "claude-1.0.128", "claude-v1", "error"],
    ["2.0.77", "claude-2.0.77", "claude", "SQLite"],
    ["2.1.325", NATIVE, "claude", "SQLite"],
    ["2.1.328", NEWEST, "claude", "SQLite"],
  ])(
    "talks, asks, is interrupted, continues and resumes in version %s",
    async (version, name, dialect, answer) => {
      const said = await talk(name);
      expect(said.failure).toBeUndefined();
      expect(said.notice).toBe("");
      expect(said.turn).toMatchObject({ texts: ["Hello there."], deltas: true, ended: SUCCESS, errors: [] });
      expect(said.permission).toMatchObject({ asked: ["Bash"], made: true, ended: SUCCESS });
      expect(said.worktree).toEqual({ before: false, there: true, after: true, left: false });
      if (name === NATIVE) expect(said.order).toEqual(["first", "say-hello", "go-on"]);
      expect(said.question.results).toEqual([expect.stringContaining(answer)]);
      expect(said.interrupt).toMatchObject({ ended: STOPPED, errors: [] });
      expect(said.next).toMatchObject({ texts: ["Going on."], ended: SUCCESS });
      expect(said.resume).toMatchObject({ texts: ["I remember."], hasHistory: true, ended: SUCCESS });
      expect(said.rawLines).toBe(true);
      expect(said.health).toEqual({
        ...HEALTHY,
        version,
        dialect,
        message: `Claude Code v${version} detected (compatible)`,
      });
    },
  );

  // This version accepts prompts and nothing else.
  test.concurrent("talks and resumes in version 1.0.22, and refuses what needs a permission because it can't ask", async () => {
    const said = await talk("claude-1.0.22");
    expect(said.failure).toBeUndefined();
    expect(said.notice).toContain("Permission protocol: Unavailable (no prompts over stdio)");
    expect(said.turn).toMatchObject({ texts: ["Hello there."], deltas: false, ended: SUCCESS, errors: [] });
    expect(said.permission).toMatchObject({ asked: [], made: false, results: ["error"] });
    expect(said.interrupt).toMatchObject({ ended: null, errors: [] });
    expect(said.next).toMatchObject({ texts: ["Going on."], ended: SUCCESS });
    expect(said.resume).toMatchObject({ texts: ["I remember."], hasHistory: true, ended: SUCCESS });
    expect(said.health).toMatchObject({ ...HEALTHY, version: "1.0.22", dialect: "claude-v1" });
  });
});

const HEALTHY = {
  status: "SERVING",
  level: "FULLY_COMPATIBLE",
  unknownTypes: [],
  missingFeatures: [],
  parseErrors: 0,
};

test("our row of the compatibility matrix spans these versions", () => {
  const row = COMPATIBILITY_MATRIX.findLast(({ program }) => program === OUR_PROGRAM);
  expect(row?.agent).toEqual({ min: "1.0.22", max: "2.1.x" });
});
