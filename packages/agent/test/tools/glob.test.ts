import { symlink, utimes } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { fileWorkspace, textOf } from "./file-workspace.ts";

const tree = {
  "a.ts": "",
  "b.js": "",
  ".hidden/c.ts": "",
  "src/d.ts": "",
  "src/deep/e.ts": "",
  "src/deep/[id].ts": "",
  "node_modules/m/f.ts": "",
  ".git/g.ts": "",
};

async function names(pattern: string, path?: string): Promise<readonly string[]> {
  await using files = await fileWorkspace(tree);
  await symlink(".", files.path("src/loop"));
  const outcome = await files.call("Glob", { pattern, ...(path && { path }) });
  return (outcome.data as { filenames: string[] }).filenames.toSorted();
}

describe("Glob", () => {
  test.each([
    ["**/*.ts", undefined, [".hidden/c.ts", "a.ts", "src/d.ts", "src/deep/[id].ts", "src/deep/e.ts"]],
    ["*.{ts,js}", undefined, ["a.ts", "b.js"]],
    ["*.ts", "src", ["src/d.ts"]],
    ["src/*/*.ts", undefined, ["src/deep/[id].ts", "src/deep/e.ts"]],
    ["./src/*.ts", undefined, ["src/d.ts"]],
    ["../*.js", "src", ["b.js"]],
    ["src/d.ts", undefined, ["src/d.ts"]],
    ["src/deep/[id].ts", undefined, ["src/deep/[id].ts"]],
    ["node_modules/**/*.ts", undefined, ["node_modules/m/f.ts"]],
    ["*.ts", "node_modules/m", ["node_modules/m/f.ts"]],
    ["nothing/**", undefined, []],
    ["nothing", undefined, []],
  ])("finds %s in %s", async (pattern, path, expected) => {
    expect(await names(pattern, path)).toEqual(expected);
  });

  test("lists the last changed first and says when there are more than it lists", async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index}.txt`, ""]));
    await using files = await fileWorkspace(many);
    for (let index = 0; index < 120; index++) await utimes(files.path(`f${index}.txt`), index, index);
    const outcome = await files.call("Glob", { pattern: "*.txt" });
    expect(outcome.data).toMatchObject({
      numFiles: 100,
      truncated: true,
      totalMatches: 120,
      durationMs: expect.any(Number),
    });
    expect(textOf(outcome).split("\n").slice(0, 2)).toEqual(["f119.txt", "f118.txt"]);
    expect(textOf(outcome)).toContain("100 of 120");
  });

  test("ends a pattern that would take forever", async () => {
    await using files = await fileWorkspace({ [`${"a".repeat(200)}.txt`]: "" });
    const outcome = await files.call("Glob", { pattern: `${"*a".repeat(30)}*b` });
    expect(textOf(outcome)).toContain("takes too long");
  });

  test("refuses a folder that is not there, or is a file", async () => {
    await using files = await fileWorkspace({ f: "" });
    expect(await files.call("Glob", { pattern: "*", path: "nope" })).toMatchObject({ isError: true });
    expect(await files.call("Glob", { pattern: "*", path: "f" })).toMatchObject({ isError: true });
  });

  test("ends when it is aborted", async () => {
    await using files = await fileWorkspace({ f: "" });
    await expect(files.call("Glob", { pattern: "**" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
