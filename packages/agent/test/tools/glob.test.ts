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

const EVERY_TS = [
  ".git/g.ts",
  ".hidden/c.ts",
  "a.ts",
  "node_modules/m/f.ts",
  "src/d.ts",
  "src/deep/[id].ts",
  "src/deep/e.ts",
];

async function names(pattern: string, path?: string): Promise<readonly string[]> {
  await using files = await fileWorkspace(tree);
  await symlink(".", files.path("src/loop"));
  const outcome = await files.call("Glob", { pattern, ...(path && { path }) });
  return (outcome.data as { filenames: string[] }).filenames.toSorted();
}

describe("Glob", () => {
  test.each([
    ["**/*.ts", undefined, EVERY_TS],
    ["*.ts", undefined, EVERY_TS],
    ["*.js", undefined, ["b.js"]],
    ["d.ts", undefined, ["src/d.ts"]],
    ["*.{tsx,js}", undefined, ["b.js"]],
    ["*.ts", "src", ["src/d.ts", "src/deep/[id].ts", "src/deep/e.ts"]],
    ["src/*/*.ts", undefined, ["src/deep/[id].ts", "src/deep/e.ts"]],
    ["src/d.ts", undefined, ["src/d.ts"]],
    ["src/deep/[[]id].ts", undefined, ["src/deep/[id].ts"]],
    ["node_modules/**/*.ts", undefined, ["node_modules/m/f.ts"]],
    ["*.ts", "node_modules/m", ["node_modules/m/f.ts"]],
    ["nothing/**", undefined, []],
    ["nothing", undefined, []],
  ])("finds %s in %s", async (pattern, path, expected) => {
    expect(await names(pattern, path)).toEqual(expected);
  });

  test.each(["src/*/*.ts", "src/deep/e.ts"])("supports an absolute pattern: %s", async (pattern) => {
    await using files = await fileWorkspace({ "src/deep/e.ts": "" });
    const outcome = await files.call("Glob", { pattern: files.path(pattern) });
    expect(textOf(outcome)).toBe("src/deep/e.ts");
    expect(textOf(await files.call("Glob", { pattern: "/nowhere/at/all/*" }))).toBe("No files found");
  });

  test("lists the newest changes first, and says if there are more results", async () => {
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
    expect(textOf(outcome).split("\n").slice(0, 2)).toEqual(["f0.txt", "f1.txt"]);
    expect(textOf(outcome)).toContain("100 of 120");
  });

  test("answers quickly for a pattern on which other engines never end", async () => {
    await using files = await fileWorkspace({ [`${"a".repeat(200)}.txt`]: "" });
    expect(textOf(await files.call("Glob", { pattern: `${"*a".repeat(30)}*b` }))).toBe("No files found");
  });

  test("says what is wrong with a pattern", async () => {
    await using files = await fileWorkspace({ f: "" });
    const outcome = await files.call("Glob", { pattern: "{a,b" });
    expect(outcome).toMatchObject({
      isError: true,
      content: expect.stringContaining("unclosed alternate group"),
    });
  });

  test("rejects a folder that is missing or a file", async () => {
    await using files = await fileWorkspace({ f: "" });
    expect(await files.call("Glob", { pattern: "*", path: "nope" })).toMatchObject({ isError: true });
    expect(await files.call("Glob", { pattern: "*", path: "f" })).toMatchObject({ isError: true });
  });

  test("ends when it is aborted", async () => {
    await using files = await fileWorkspace({ f: "" });
    await expect(files.call("Glob", { pattern: "**" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
