import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFile, isFolder, isMissing, makeFolder, makePrivateFolder } from "../../src/files/index.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the type of a path", () => {
  test("is determined through links", () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(folder, join(folder, "link"));
    expect([isFolder(join(folder, "link")), isFile(join(folder, "link"))]).toEqual([true, false]);
    expect([isFolder(join(folder, "file")), isFile(join(folder, "file"))]).toEqual([false, true]);
  });

  test("is neither folder nor file if it can't be determined", () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(join(folder, "ring"), join(folder, "ring"));
    for (const path of ["missing", "file/below", "ring", `${"a".repeat(300)}`, "nul\0"])
      expect([isFolder(join(folder, path)), isFile(join(folder, path))]).toEqual([false, false]);
  });
});

test("a path is missing if nothing exists there, but not if that can't be determined", () => {
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
  symlinkSync(join(folder, "ring"), join(folder, "ring"));
  const missing = ["none", "none/below", "file/below", "dangling"];
  const others = ["", "file", "ring", "nul\0"];
  expect([...missing, ...others].filter((path) => isMissing(join(folder, path)))).toEqual(missing);
});

describe("creating a folder", () => {
  test("creates its parents, each accessible only to the owner if it is private", () => {
    makePrivateFolder(join(folder, "a/b"));
    for (const path of ["a", "a/b"]) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  });

  test("leaves an existing one unchanged", () => {
    chmodSync(folder, 0o755);
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  test.each(["/proc/none/below", "/dev/null/below"])("fails at %s with the system's error", (path) => {
    expect(() => makeFolder(path)).toThrow(/ENOENT|ENOTDIR|EEXIST/);
  });
});
