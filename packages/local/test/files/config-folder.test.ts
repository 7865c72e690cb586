import { describe, expect, test } from "vitest";
import { configFolder, userFile } from "../../src/files/index.ts";

describe("the folder of a user's agents", () => {
  test("is in the home folder, and what is known of projects beside it", () => {
    expect([configFolder({}, "/home/me"), userFile({}, "/home/me")]).toEqual([
      "/home/me/.claude",
      "/home/me/.claude.json",
    ]);
  });

  test("is where the environment says, with everything in it", () => {
    const env = { CLAUDE_CONFIG_DIR: "/conf" };
    expect([configFolder(env, "/home/me"), userFile(env, "/home/me")]).toEqual([
      "/conf",
      "/conf/.claude.json",
    ]);
  });

  test("is not the current folder where the variable is empty", () => {
    expect(configFolder({ CLAUDE_CONFIG_DIR: "" }, "/home/me")).toBe("/home/me/.claude");
  });

  // As Claude Code 2.1.325 does it on Linux, too.
  test("has a composed name", () => {
    expect(configFolder({ CLAUDE_CONFIG_DIR: "/ho\u0302me" })).toBe("/h\u00f4me");
  });
});
