import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

const OWN = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));

const talk = async (name: string, modes: readonly string[]) =>
  runTalk("rules-talk.mjs", name === OWN ? OWN : await agentOf(name), modes);

const READ = (name: string) => ({ results: [`content-of-${name}`], denied: [], errors: [] });
const DENIED = (rule: string) => ({ results: ["error"], asked: 0, denied: [rule], errors: [] });
/** Refused by the agent itself; the daemon sees only the result. */
const REFUSED = { results: ["error"], asked: 0, denied: [], errors: [] };
/** Runs without a question, and its result contains nothing of the denied file. */
const WITHOUT = { results: ["done"], asked: 0 };
/** Commands whose access no version of the official agent prevents. */
const FOUND = { results: ["content-of-denied"], asked: 0 };
const MODES = ["bypassPermissions", "default"];

/** What docs/guides/security.md says about each version. */
describe("rules of a daemon", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.concurrent.each([
    ["Claude Code 1.0.128", "claude-1.0.128", { search: WITHOUT, grep: FOUND, catAsked: 1 }],
    ["Claude Code 2.0.77", "claude-2.0.77", { search: WITHOUT, grep: FOUND, catAsked: 1 }],
    // It has no search tool, and runs `cat` without a question.
    ["Claude Code 2.1.325", NATIVE, { search: REFUSED, grep: FOUND, catAsked: 0 }],
    // Ours asks about a search by command that would find a denied file.
    ["agentwire-agent", OWN, { search: WITHOUT, grep: { asked: 1 }, catAsked: 1 }],
  ])(
    "stop %s from doing what they deny, and make it ask what must be asked, in every mode",
    async (_, name, { search, grep, catAsked }) => {
      const said = await talk(name, MODES);
      expect(said.failure).toBeUndefined();
      for (const mode of MODES) {
        expect(said[mode]["read-the-open"]).toMatchObject({ ...READ("open"), asked: 0, notices: [] });
        expect(said[mode]["read-the-denied"]).toMatchObject(DENIED("Read(denied.txt)"));
        expect(said[mode]["run-the-denied"]).toMatchObject(DENIED("Bash(touch:*)"));
        expect(said[mode]["read-the-asked"]).toMatchObject({ ...READ("asked"), asked: 1 });
        expect(said[mode].made).toBe(false);
      }
      expect(said.unsaid["cat-the-denied"]).toMatchObject(REFUSED);
      expect(said.unsaid["cat-the-asked"]).toMatchObject({ ...READ("asked"), asked: catAsked });
      expect(said.unsaid["search-the-folder"]).toMatchObject(search);
      expect(said.unsaid["grep-the-folder"]).toMatchObject(grep);
      expect(said.unsaid).toMatchObject({ mention: false, addedMention: false, removedMention: true });
      expect(said.added).toMatchObject(DENIED("Read(later.txt)"));
      expect(said.removed).toMatchObject(READ("denied"));
      expect(said.audited).toBe(5);
      expect(said.notice).toBe("");
    },
  );

  test.concurrent("are passed to Claude Code 1.0.22 as flags at its start, with a notice about what that leaves out", async () => {
    const said = await talk("claude-1.0.22", ["default"]);
    expect(said.failure).toBeUndefined();
    const { default: inDefault } = said;
    expect(inDefault["read-the-open"]).toMatchObject(READ("open"));
    expect(inDefault["read-the-open"].notices).toEqual([expect.stringContaining("does not support hooks")]);
    expect(inDefault["read-the-denied"]).toMatchObject(DENIED("Read(denied.txt)"));
    expect(inDefault["run-the-denied"]).toMatchObject(DENIED("Bash(touch:*)"));
    expect(inDefault["read-the-asked"]).toMatchObject(REFUSED);
    expect(inDefault.made).toBe(false);
    // It can't ask, so it refuses every command that needs a question. Files mentioned in prompts are sent.
    for (const what of ["cat-the-denied", "search-the-folder", "grep-the-folder", "cat-the-asked"])
      expect(said.unsaid[what]).toMatchObject(REFUSED);
    expect(said.unsaid).toMatchObject({ mention: true, addedMention: true });
    expect(said.added).toMatchObject(DENIED("Read(later.txt)"));
    expect(said.removed).toMatchObject(READ("denied"));
    expect(said.audited).toBe(3);
    expect(said.notice).toContain("Rules: Set by flags at startup (no hooks)");
  });
});
