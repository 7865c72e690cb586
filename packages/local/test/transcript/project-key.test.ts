import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { projectFolder, projectKey, realFolder, systemSpelling } from "../../src/transcript/project-key.ts";

function newFolder(): string {
  const folder = realFolder(mkdtempSync(join(tmpdir(), "agentwire-key-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("the key of a project", () => {
  test.each([
    ["/home/me/my project", "-home-me-my-project"],
    ["/srv/a_b.c", "-srv-a-b-c"],
    ["/é/x", "---x"],
    ["C:\\work\\x", "C--work-x"],
  ])("of %s is %s", (folder, key) => {
    expect(projectKey(folder)).toBe(key);
  });

  test("of a long path is truncated and ends with the official SDK's hash", () => {
    expect(projectKey(`/${"x".repeat(199)}`)).toBe(`-${"x".repeat(199)}`);
    expect(projectKey(`/${"x".repeat(200)}`)).toBe(`-${"x".repeat(199)}-d0i18x`);
  });

  test("is the same through a symbolic link", () => {
    const folder = newFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(projectFolder("/c", join(folder, "link"))).toBe(projectFolder("/c", join(folder, "real")));
  });

  // Same as Claude Code 2.1.325 and the official SDK: on Linux these are two folders.
  test.skipIf(process.platform === "darwin")("distinguishes two spellings of a name", () => {
    const folder = newFolder();
    for (const name of ["cafe\u0301", "caf\u00e9"]) mkdirSync(join(folder, name));
    expect(projectKey(realFolder(join(folder, "cafe\u0301")))).toMatch(/-cafe-$/);
    expect(projectKey(realFolder(join(folder, "caf\u00e9")))).toMatch(/-caf-$/);
  });

  test("of a folder with a decomposed name on macOS uses the composed name", () => {
    expect(projectKey(systemSpelling("/cafe\u0301", "darwin"))).toBe("-caf-");
    expect(projectKey(systemSpelling("/cafe\u0301", "linux"))).toBe("-cafe-");
  });
});
