import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changesIn, commitStaged, revertChange, stageFiles, undoRevert } from "../../src/worktree/changes.ts";

const folder = mkdtempSync(join(tmpdir(), "agentwire-changes-"));
const env = { PATH: process.env.PATH, HOME: folder };
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trimEnd();
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const LINES = Array.from({ length: 30 }, (_, line) => `line ${line}`);

beforeAll(() => {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  write("old.txt", `${LINES.join("\n")}\n`);
  write("gone.txt", "gone\n");
  write(".gitignore", "*.log\n.config\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const states = async () =>
  (await changesIn(folder, env)).files.map(({ path, state, staged }) => `${path} ${state} ${staged}`);

test("changes are listed, staged, committed and reverted, even before the first commit", async () => {
  expect(await states()).toEqual([".gitignore added none", "gone.txt added none", "old.txt added none"]);
  await expect(commitStaged(folder, "first", env)).rejects.toThrow("nothing is staged");
  await stageFiles(folder, [".gitignore", "gone.txt", "old.txt"], true, env);
  await stageFiles(folder, ["gone.txt"], false, env);
  await stageFiles(folder, ["gone.txt"], true, env);
  await commitStaged(folder, "first\n\nwith a body", env);
  expect(git("log", "-1", "--format=%B")).toBe("first\n\nwith a body");

  write("old.txt", `${LINES.with(2, "changed 2").with(25, "changed 25").join("\n")}\n`);
  write("new *.txt", "new\n");
  write("noise.log", "");
  rmSync(join(folder, "gone.txt"));
  mkdirSync(join(folder, "sub"));
  const { files, patch, branch } = await changesIn(join(folder, "sub"), env);
  expect(branch).toBe("main");
  expect(files).toMatchObject([
    { path: "gone.txt", state: "deleted", staged: "none", insertions: 0, deletions: 1 },
    { path: "old.txt", state: "modified", staged: "none", insertions: 2, deletions: 2 },
    { path: "new *.txt", state: "added", staged: "none", insertions: 1, deletions: 0 },
  ]);
  await stageFiles(folder, ["new *.txt"], true, env);
  expect(await states()).toContain("new *.txt added all");

  const part = patch.slice(patch.indexOf("diff --git a/old.txt"));
  const hunk = part.split(/^(?=@@ )/m).at(-1) ?? "";
  const undo = await revertChange(folder, { path: "old.txt", hunk }, env);
  expect(read("old.txt")).toContain("changed 2\n");
  expect(read("old.txt")).not.toContain("changed 25");
  await undoRevert(folder, "old.txt", undo, env);
  expect(read("old.txt")).toContain("changed 25");
  await expect(revertChange(folder, { path: "old.txt", hunk: "@@ -1 +1 @@\n-x\n+y\n" }, env)).rejects.toThrow(
    "git apply failed",
  );
  for (const path of ["gone.txt", "new *.txt", "old.txt"])
    await revertChange(folder, { path, hunk: "" }, env);
  expect(read("gone.txt")).toBe("gone\n");
  expect(existsSync(join(folder, "new *.txt"))).toBe(false);
  expect(existsSync(join(folder, "noise.log"))).toBe(true);
  expect(await states()).toEqual([]);
}, 60_000);

test("a change can't affect a file outside the checkout", async () => {
  const hunk = "@@ -0,0 +1 @@\n+x\n";
  for (const path of ["../outside.txt", ".git/config", "/etc/hostname"]) {
    await expect(revertChange(folder, { path, hunk }, env)).rejects.toThrow();
    // Git rejects paths outside the checkout and ignores its own files.
    await stageFiles(folder, [path], true, env).catch(() => {});
  }
  expect(git("diff", "--cached", "--name-only")).toBe("");
  expect(existsSync(join(folder, "../outside.txt"))).toBe(false);
}, 60_000);
