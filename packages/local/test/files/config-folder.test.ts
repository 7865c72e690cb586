import { describe, expect, test } from "vitest";
import { configFolder, userFile } from "../../src/files/index.ts";

describe("the folder of a user's agents", () => {
  test("is in the home folder, next to the user's .claude.json", () => {
    expect([configFolder({}, "/home/me"), userFile({}, "/home/me")]).toEqual([
      "/home/me/.claude",
      "/home/me/.claude.json",
    ]);
  });

  test("is the one from the environment, and contains .claude.json", () => {
    const env = { CLAUDE_CONFIG_DIR: "/conf" };
    expect([configFolder(env, "/home/me"), userFile(env, "/home/me")]).toEqual([
      "/conf",
      "/conf/.claude.json",
    ]);
  });

  test("is not the current folder if the variable is empty", () => {
    expect(configFolder({ CLAUDE_CONFIG_DIR: "" }, "/home/me")).toBe("/home/me/.claude");
  });

  // Claude Code 2.1.325 does this on Linux, too.
  test("has a name normalized to NFC", () => {
    expect(configFolder({ CLAUDE_CONFIG_DIR: "/ho\u0302me" })).toBe("/h\u00f4me");
  });
});
