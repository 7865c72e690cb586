import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { installVersions, programOf } from "./install.ts";

const TALK = fileURLToPath(new URL("rules-talk.mjs", import.meta.url));
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

/** Published agents are only ever run where there is no network but the loopback interface. */
const talk = (name: string, modes: readonly string[]) => runInNamespace(TALK, [programOf(name), ...modes]);

const READ = (name: string) => ({ results: [`content-of-${name}`], denied: [], errors: [] });
const DENIED = (rule: string) => ({ results: ["error"], asked: 0, denied: [rule], errors: [] });
/** Refused by the agent itself, of which the daemon hears nothing but the result. */
const REFUSED = { results: ["error"], asked: 0, denied: [], errors: [] };
const MODES = ["default", "bypassPermissions"];

/** What docs/guides/security.md says of each version. */
describe("held to the rules of a daemon, a published agent", { timeout: 480_000 }, () => {
  beforeAll(installVersions, 600_000);

  test.each([
    ["1.0.128", "claude-1.0.128"],
    ["2.0.77", "claude-2.0.77"],
    ["2.1.325", NATIVE],
  ])(
    "of version %s does nothing that is denied, and asks what is to be asked, in every mode",
    async (_, name) => {
      const said = await talk(name, MODES);
      expect(said.failure).toBeUndefined();
      for (const mode of MODES) {
        expect(said[mode]["read-the-open"]).toMatchObject({ ...READ("open"), asked: 0, notices: [] });
        expect(said[mode]["read-the-denied"]).toMatchObject(DENIED("Read(denied.txt)"));
        expect(said[mode]["run-the-denied"]).toMatchObject(DENIED("Bash(touch:*)"));
        expect(said[mode]["read-the-asked"]).toMatchObject({ ...READ("asked"), asked: 1 });
        expect(said[mode].made).toBe(false);
      }
      expect(said.added).toMatchObject(DENIED("Read(later.txt)"));
      expect(said.removed).toMatchObject(READ("denied"));
      expect(said.audited).toBe(5);
      expect(said.notice).toBe("");
    },
  );

  test("of version 1.0.22 gets them as flags when it is started, and says what that leaves out", async () => {
    const said = await talk("claude-1.0.22", ["default"]);
    expect(said.failure).toBeUndefined();
    const { default: inDefault } = said;
    expect(inDefault["read-the-open"]).toMatchObject(READ("open"));
    expect(inDefault["read-the-open"].notices).toEqual([expect.stringContaining("knows no hooks")]);
    for (const what of ["read-the-denied", "run-the-denied", "read-the-asked"])
      expect(inDefault[what]).toMatchObject(REFUSED);
    expect(inDefault.made).toBe(false);
    expect(said.added).toMatchObject(READ("later"));
    expect(said.removed).toMatchObject(REFUSED);
    expect(said.audited).toBe(0);
    expect(said.notice).toContain("Rules: Given as flags at its start (no hooks)");
  });
});
