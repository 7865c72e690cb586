import { execFileSync } from "node:child_process";
import { symlink, utimes } from "node:fs/promises";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { fileWorkspace, textOf } from "./file-workspace.ts";

const tree = {
  "a.ts": "one\ntwo\nthree\nfour\nfive\nTWO two\n",
  "b.py": "two\r\n",
  "src/c.ts": "nothing here\n",
  "src/d.tsx": "two",
  "bin.dat": Buffer.from("two\0"),
  ".gitignore": "ignored/\n*.log\n!keep.log\n",
  "ignored/e.ts": "two",
  "x.log": "two",
  "keep.log": "two",
  "src/.gitignore": "/local.ts\n",
  "src/local.ts": "two",
  "node_modules/m.js": "two",
  ".git/HEAD": "two",
};

async function grep(input: JsonObject): Promise<string> {
  await using files = await fileWorkspace(tree);
  return textOf(await files.call("Grep", { pattern: "two", ...input }));
}

const sorted = (text: string) => text.split("\n").toSorted();

describe("Grep", () => {
  test("lists and counts the matching files, without ignored files of a repository", async () => {
    expect(sorted(await grep({}))).toEqual([
      "Found 5 files",
      ...["a.ts", "b.py", "keep.log", "node_modules/m.js", "src/d.tsx"],
    ]);
  });

  test("ignores no files outside a repository", async () => {
    await using files = await fileWorkspace({ ".gitignore": "*.log", "x.log": "two" });
    expect(textOf(await files.call("Grep", { pattern: "two" }))).toBe("Found 1 file\nx.log");
  });

  test.each([
    [{ type: "ts" }, ["a.ts", "src/d.tsx"]],
    [{ glob: "*.ts" }, ["a.ts", "src/local.ts"]],
    [{ glob: "*.py,*.tsx" }, ["b.py", "src/d.tsx"]],
    [{ glob: "src/**" }, ["src/d.tsx", "src/local.ts"]],
    [{ glob: "!*.{py,log}", type: "ts" }, ["a.ts", "src/d.tsx"]],
    [{ glob: "x.log" }, ["x.log"]],
    [{ path: "src" }, ["src/d.tsx"]],
    [{ path: "b.py" }, ["b.py"]],
    [{ path: "ignored" }, ["ignored/e.ts"]],
    [{ path: "node_modules" }, ["node_modules/m.js"]],
    [{ pattern: "TWO" }, ["a.ts"]],
    [{ pattern: "(?i)TWO", glob: "*.py" }, ["b.py"]],
    [{ pattern: "^t[[:alpha:]]o", glob: "*.py" }, ["b.py"]],
    [{ path: ".git" }, [".git/HEAD"]],
  ])("selects files by %o", async (input, expected) => {
    const [, ...files] = (await grep(input)).split("\n");
    expect(files.toSorted()).toEqual(expected);
  });

  test("supports ripgrep's file types", async () => {
    await using files = await fileWorkspace({ Makefile: "two", "a.txt": "two" });
    expect(textOf(await files.call("Grep", { pattern: "two", type: "make" }))).toBe("Found 1 file\nMakefile");
  });

  test.each([
    [undefined, "No files found"],
    ["content", "No matches found"],
    ["count", "No matches found\n\nFound 0 total occurrences across 0 files."],
  ])("reports no matches in mode %s", async (output_mode, said) => {
    expect(await grep({ pattern: "absent", ...(output_mode && { output_mode }) })).toBe(said);
  });

  test.each([
    [{}, ["2:two", "6:TWO two"]],
    [{ "-n": false }, ["two", "TWO two"]],
    [{ "-i": true, "-o": true }, ["2:two", "6:TWO", "6:two"]],
    [{ "-A": 1 }, ["2:two", "3-three", "--", "6:TWO two"]],
    [{ "-C": 1 }, ["1-one", "2:two", "3-three", "--", "5-five", "6:TWO two"]],
    [{ context: 1, "-B": 0 }, ["1-one", "2:two", "3-three", "--", "5-five", "6:TWO two"]],
    [{ head_limit: 1 }, ["2:two", "", "[Showing results with pagination = limit: 1]"]],
    [{ head_limit: 1, offset: 1 }, ["6:TWO two", "", "[Showing results with pagination = offset: 1]"]],
    [{ offset: 9 }, ["No entries at this offset", "", "[Showing results with pagination = offset: 9]"]],
    [{ pattern: "two.three", multiline: true }, ["2:two", "3:three"]],
    [{ pattern: "two.three" }, ["No matches found"]],
  ])("shows lines selected by %o", async (input, expected) => {
    expect((await grep({ path: "a.ts", output_mode: "content", ...input })).split("\n")).toEqual(expected);
  });

  test("shows the file of each line, in the order of names, with separators between files that have context", async () => {
    const lines = await grep({ output_mode: "content", glob: "*.{py,tsx}", "-A": 1 });
    expect(lines.split("\n")).toEqual(["b.py:1:two", "--", "src/d.tsx:1:two"]);
    expect(await grep({ output_mode: "content", glob: "b.py", "-n": false })).toBe("b.py:two");
  });

  test("counts matching lines", async () => {
    await using files = await fileWorkspace(tree);
    const outcome = await files.call("Grep", { pattern: "two", output_mode: "count", glob: "[ab].{ts,py}" });
    expect(textOf(outcome)).toBe("a.ts:2\nb.py:1\n\nFound 3 total occurrences across 2 files.");
    expect(outcome.data).toEqual({
      mode: "count",
      numFiles: 2,
      filenames: [],
      content: "a.ts:2\nb.py:1",
      numMatches: 3,
    });
  });

  test("lists the most recently changed file first, and returns the same to the host as data", async () => {
    await using files = await fileWorkspace({ old: "x", new: "x" });
    await utimes(files.path("old"), 1, 1);
    expect((await files.call("Grep", { pattern: "x" })).data).toEqual({
      mode: "files_with_matches",
      numFiles: 2,
      filenames: ["new", "old"],
    });
  });

  test("follows the ignore rules of the repository that contains the folder", async () => {
    await using files = await fileWorkspace({
      ".git/HEAD": "",
      ".gitignore": "secret.txt",
      "sub/secret.txt": "x",
      "sub/f": "x",
    });
    expect(textOf(await files.call("Grep", { pattern: "x", path: "sub" }))).toBe("Found 1 file\nsub/f");
  });

  test("answers quickly for a pattern on which other engines never end", async () => {
    await using files = await fileWorkspace({ f: `${"a".repeat(5000)}!` });
    expect(textOf(await files.call("Grep", { pattern: "^(a+)+$" }))).toBe("No files found");
  });

  test("does not follow links or wait for pipes", async () => {
    await using files = await fileWorkspace({ f: "x", "sub/g": "y" });
    await symlink("..", files.path("sub/loop"));
    await symlink("../f", files.path("sub/link"));
    execFileSync("mkfifo", [files.path("pipe")]);
    expect(textOf(await files.call("Grep", { pattern: "x" }))).toBe("Found 1 file\nf");
    expect(await files.call("Grep", { pattern: "x", path: "pipe" })).toMatchObject({ isError: true });
  });

  test("limits its result", async () => {
    await using files = await fileWorkspace({ f: `${"x".repeat(600)}\n${"x".repeat(400)}\n`.repeat(10_000) });
    const outcome = await files.call("Grep", { pattern: "x", output_mode: "content", head_limit: 0 });
    const text = textOf(outcome);
    expect(text.length).toBeLessThan(300_000);
    expect(text).toMatch(/^f:1:\[Omitted long matching line\]\nf:2:x{400}\n/);
    expect(text).toMatch(/\[Showing results with pagination = limit: \d+\]$/);
  });

  test.each([
    [{ pattern: "(" }, "unclosed group"],
    [{ pattern: "a(?=b)" }, "look-around"],
    [{ path: "nope" }, "does not exist"],
    [{ type: "nope" }, "unrecognized file type: nope"],
    [{ glob: "[a" }, "unclosed character class"],
  ])("rejects %o", async (input, message) => {
    expect(await grep(input)).toContain(message);
  });

  test("ends when it is aborted", async () => {
    await using files = await fileWorkspace({ f: "" });
    await expect(files.call("Grep", { pattern: "x" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
