import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileLists } from "../../src/workspace/file-list.ts";
import { filesIn, readListed } from "../../src/workspace/files.ts";
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
  test("are listed with their folders, top level first, without ignored ones", async () => {
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

  test("in a worktree are listed even if the folder around it is ignored", async () => {
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

  test("are listed once for concurrent requests", async () => {
    const lists = new FileLists();
    const [first, second] = await Promise.all([lists.of(folder), lists.of(folder)]);
    expect(second).toBe(first);
  });

  test("are listed folder by folder, and read unless ignored, outside the folder or not regular files", async () => {
    const place = mkdtempSync(join(tmpdir(), "agentwire-read-"));
    const put = (path: string, content: string | Uint8Array) => writeFileSync(join(place, path), content);
    mkdirSync(join(place, "src"));
    put(".gitignore", ".env\n");
    put(".env", "KEY=1");
    put("src/a.ts", "const größe = 1;\n");
    put("long.txt", `${"x".repeat(999_999)}ä and more`);
    put("data.bin", new Uint8Array([1, 0, 2]));
    put("dot.png", new Uint8Array([137, 80, 78, 71]));
    symlinkSync("/etc/hostname", join(place, "out"));
    const list = await new FileLists().of(place);
    expect(filesIn(list, "").names).toEqual(["src/", ".gitignore", "data.bin", "dot.png", "long.txt"]);
    expect(filesIn(list, "src/")).toEqual({ names: ["a.ts"], truncated: false });
    const read = (path: string, paths = list.paths) => readListed(place, { ...list, paths }, path);
    expect(await read("src/a.ts")).toMatchObject({ text: "const größe = 1;\n", truncated: false });
    const long = await read("long.txt");
    expect([long.text.length, long.truncated, long.size]).toEqual([999_999, true, 1_000_010n]);
    expect(await read("data.bin")).toMatchObject({ text: "", binary: true, truncated: false });
    expect(await read("dot.png")).toMatchObject({ mediaType: "image/png", image: { length: 4 } });
    for (const path of [".env", "../x", "/etc/hostname", "src/", "none"])
      await expect(read(path)).rejects.toThrow(`path: ${path} is not a file here`);
    await expect(read("out", ["out"])).rejects.toThrow("it leads out of the folder");
    await expect(read("src", ["src"])).rejects.toThrow("it is not a regular file");
    rmSync(place, { recursive: true });
  });

  test.each([
    ["session.ts", "src/session/session.ts"],
    ["sespage", "src/session/session-page.tsx"],
    ["GRÖSSE", undefined],
    ["größe", "src/Größe ä.ts"],
    ["docs ses", "docs/sessions.md"],
    ["srcses", "src/session/session.ts"],
    ["xyz", undefined],
  ])("are matched by %s with the best first", async (query, best) => {
    const list = await new FileLists().of(folder);
    const [found] = await matchPaths(list, query, 5);
    expect(found).toBe(best);
  });
});
