import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFolder, projectKey } from "../../src/store/project-key.ts";
import { newFolder } from "./folder.ts";

describe("the key of a project", () => {
  test.each([
    ["/home/me/my project", "-home-me-my-project"],
    ["/srv/a_b.c", "-srv-a-b-c"],
    ["/é/x", "---x"],
    ["C:\\work\\x", "C--work-x"],
  ])("of %s is %s", (folder, key) => {
    expect(projectKey(folder)).toBe(key);
  });

  test("of a long path is cut and carries the hash that the official SDK gives it", () => {
    expect(projectKey(`/${"x".repeat(199)}`)).toBe(`-${"x".repeat(199)}`);
    expect(projectKey(`/${"x".repeat(200)}`)).toBe(`-${"x".repeat(199)}-d0i18x`);
  });

  test("is the same by way of a symbolic link", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "link"));
    expect(projectFolder("/c", join(folder, "link"))).toBe(projectFolder("/c", join(folder, "real")));
  });
});
