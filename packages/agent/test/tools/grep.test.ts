import { execFileSync } from "node:child_process";
import { symlink, truncate, utimes } from "node:fs/promises";
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
  test("lists the files that match, without those that are ignored, binary or nobody's business", async () => {
    expect(sorted(await grep({}))).toEqual(["a.ts", "b.py", "keep.log", "src/d.tsx"]);
  });

  test.each([
    [{ type: "ts" }, ["a.ts", "src/d.tsx"]],
    [{ glob: "*.ts" }, ["a.ts"]],
    [{ glob: "*.py,*.tsx" }, ["b.py", "src/d.tsx"]],
    [{ glob: "src/**" }, ["src/d.tsx"]],
    [{ glob: "!*.{py,log}" }, ["a.ts", "src/d.tsx"]],
    [{ path: "src" }, ["src/d.tsx"]],
    [{ path: "b.py" }, ["b.py"]],
    [{ path: "ignored" }, ["ignored/e.ts"]],
    [{ path: "node_modules" }, ["node_modules/m.js"]],
    [{ pattern: "TWO" }, ["a.ts"]],
    [{ pattern: "(?i)TWO", glob: "*.py" }, ["b.py"]],
    [{ pattern: "^t[[:alpha:]]o$", glob: "*.py" }, ["b.py"]],
    [{ pattern: "absent" }, ["No matches found"]],
  ])("chooses files by %o", async (input, expected) => {
    expect(sorted(await grep(input))).toEqual(expected);
  });

  test.each([
    [{}, ["a.ts:2:two", "a.ts:6:TWO two"]],
    [{ "-n": false }, ["a.ts:two", "a.ts:TWO two"]],
    [{ "-i": true, "-o": true }, ["a.ts:2:two", "a.ts:6:TWO", "a.ts:6:two"]],
    [{ "-A": 1 }, ["a.ts:2:two", "a.ts-3-three", "--", "a.ts:6:TWO two"]],
    [{ "-C": 1 }, ["a.ts-1-one", "a.ts:2:two", "a.ts-3-three", "--", "a.ts-5-five", "a.ts:6:TWO two"]],
    [{ context: 2, "-B": 0 }, ["a.ts:2:two", "a.ts-3-three", "a.ts-4-four", "--", "a.ts:6:TWO two"]],
    [{ head_limit: 1 }, ["a.ts:2:two", "(There is more: go on with offset 1.)"]],
    [{ head_limit: 1, offset: 1 }, ["a.ts:6:TWO two"]],
    [{ pattern: "two.three", multiline: true }, ["a.ts:2:two", "a.ts:3:three"]],
    [{ pattern: "two.three" }, ["No matches found"]],
  ])("shows lines by %o", async (input, expected) => {
    expect((await grep({ path: "a.ts", output_mode: "content", ...input })).split("\n")).toEqual(expected);
  });

  test("counts matching lines", async () => {
    await using files = await fileWorkspace(tree);
    const outcome = await files.call("Grep", { pattern: "two", output_mode: "count", glob: "*.{ts,py}" });
    expect(textOf(outcome)).toBe("a.ts:2\nb.py:1");
    expect(outcome.data).toEqual({
      mode: "count",
      numFiles: 2,
      filenames: ["a.ts", "b.py"],
      content: "a.ts:2\nb.py:1",
      numMatches: 3,
    });
  });

  test("lists the last changed file first and tells the host the same as data", async () => {
    await using files = await fileWorkspace({ old: "x", new: "x" });
    await utimes(files.path("old"), 1, 1);
    expect((await files.call("Grep", { pattern: "x" })).data).toEqual({
      mode: "files_with_matches",
      numFiles: 2,
      filenames: ["new", "old"],
    });
  });

  test("obeys the rules of the repository above the folder it searches", async () => {
    await using files = await fileWorkspace({
      ".git/HEAD": "",
      ".gitignore": "secret.txt",
      "sub/secret.txt": "x",
      "sub/f": "x",
    });
    expect(textOf(await files.call("Grep", { pattern: "x", path: "sub" }))).toBe("sub/f");
  });

  test("ends a pattern that would take forever", async () => {
    await using files = await fileWorkspace({ f: `${"a".repeat(50)}!` });
    const outcome = await files.call("Grep", { pattern: "^(a+)+$" });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain("takes too long");
  });

  test("follows no links, waits for no pipe and says which files are too large", async () => {
    await using files = await fileWorkspace({ f: "x", big: "x", "sub/g": "y" });
    await truncate(files.path("big"), 11 * 1024 * 1024);
    await symlink("..", files.path("sub/loop"));
    await symlink("../f", files.path("sub/link"));
    execFileSync("mkfifo", [files.path("pipe"), files.path("sub/.gitignore")]);
    const text = textOf(await files.call("Grep", { pattern: "x" }));
    expect(text).toBe("f\n(Files over 10 MB that were not searched: 1. Use grep in Bash for those.)");
  });

  test("bounds what it answers", async () => {
    await using files = await fileWorkspace({ f: `${"x".repeat(600)}\n`.repeat(10_000) });
    const outcome = await files.call("Grep", { pattern: "x", output_mode: "content", head_limit: 0 });
    const text = textOf(outcome);
    expect(text.length).toBeLessThan(300_000);
    expect(text).toContain("[100 more characters]");
    expect(text).toContain("There is more");
  });

  test.each([
    [{ pattern: "(" }, "not a valid regular expression"],
    [{ path: "nope" }, "does not exist"],
    [{ type: "nope" }, 'no file type "nope"'],
  ])("refuses %o", async (input, message) => {
    expect(await grep(input)).toContain(message);
  });

  test("ends when it is aborted", async () => {
    await using files = await fileWorkspace({ f: "" });
    await expect(files.call("Grep", { pattern: "x" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
