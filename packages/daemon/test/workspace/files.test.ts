import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileLists } from "../../src/workspace/file-list.ts";
import { matchPaths } from "../../src/workspace/match-paths.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-files-"));
  const files = {
    ".gitignore": "build/\n*.log\n",
    ".github/ci.yml": "",
    ".git/config": "",
    "build/out.js": "",
    "a.log": "",
    "src/session/session.ts": "",
    "src/session/session-page.tsx": "",
    "src/Größe ä.ts": "",
    "docs/sessions.md": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the files of a folder", () => {
  test("are listed with its folders, the highest first, without what ignore files name", async () => {
    const { paths, files } = await new FileLists().of(folder);
    expect(files).toBe(6);
    expect(paths).toEqual([
      ".github/",
      ".gitignore",
      "docs/",
      "src/",
      ".github/ci.yml",
      "docs/sessions.md",
      "src/Größe ä.ts",
      "src/session/",
      "src/session/session-page.tsx",
      "src/session/session.ts",
    ]);
  });

  test("of a worktree are listed though the folder around it is ignored", async () => {
    const around = join(folder, ".claude", "worktrees");
    mkdirSync(join(around, "one"), { recursive: true });
    writeFileSync(join(around, ".gitignore"), "*\n");
    writeFileSync(join(around, "one", ".git"), "gitdir: elsewhere\n");
    writeFileSync(join(around, "one", ".gitignore"), "*.log\n");
    for (const name of ["a.ts", "b.log"]) writeFileSync(join(around, "one", name), "");
    const { paths } = await new FileLists().of(join(around, "one"));
    expect(paths).toEqual([".gitignore", "a.ts"]);
    rmSync(join(folder, ".claude"), { recursive: true });
  });

  test("are listed again after a while, and once for many requests at the same time", async () => {
    const lists = new FileLists();
    const [first, second] = await Promise.all([lists.of(folder), lists.of(folder)]);
    expect(second).toBe(first);
  });

  test.each([
    ["session.ts", "src/session/session.ts"],
    ["sespage", "src/session/session-page.tsx"],
    ["GRÖSSE", undefined],
    ["größe", "src/Größe ä.ts"],
    ["docs ses", "docs/sessions.md"],
    ["srcses", "src/session/session.ts"],
    ["xyz", undefined],
  ])("match %s with the best first", async (query, best) => {
    const list = await new FileLists().of(folder);
    const [found] = await matchPaths(list, query, 5);
    expect(found).toBe(best);
  });
});
