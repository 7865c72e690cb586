import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGit, restoreSnapshot, takeSnapshot } from "../../src/worktree/index.ts";
import { commit, ENV, git, newRepository, write } from "./repository-of-files.ts";

test("a snapshot restores all files that are not ignored, whatever has happened to them since", async () => {
  const folder = newRepository({ ".gitignore": "*.log\n", "a.txt": "one\n", "b.txt": "two\n" });
  write(folder, { "a.txt": "changed\n", "new.txt": "new\n", "x.log": "before\n" });
  const at = await openGit(folder, ENV);
  const taken = await takeSnapshot(at, "refs/agentwire/wt/s1");
  expect(git(folder, "status", "--short")).toBe(" M a.txt\n?? new.txt");
  git(folder, "rm", "--quiet", "--force", "b.txt");
  write(folder, { "a.txt": "again\n", "made/deep.txt": "deep\n", "x.log": "after\n" });
  commit(folder, "by a command");
  git(folder, "rm", "--quiet", "new.txt");
  const changed = await restoreSnapshot(at, taken);
  expect(changed.map(({ path }) => path).toSorted()).toEqual(["a.txt", "b.txt", "made/deep.txt", "new.txt"]);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  expect([read("a.txt"), read("b.txt"), read("new.txt"), read("x.log")]).toEqual([
    "changed\n",
    "two\n",
    "new\n",
    "after\n",
  ]);
  expect(existsSync(join(folder, "made"))).toBe(false);
  expect(git(folder, "log", "-1", "--format=%s")).toBe("by a command");
});

test("one ref keeps all snapshots, each with the previous one, and no temporary files are left next to the index", async () => {
  const folder = newRepository();
  const at = await openGit(folder, ENV);
  const first = await takeSnapshot(at, "refs/agentwire/wt/s1");
  write(folder, { "b.txt": "two\n" });
  const second = await takeSnapshot(at, "refs/agentwire/wt/s1");
  expect(git(folder, "rev-parse", "refs/agentwire/wt/s1")).toBe(second);
  expect(git(folder, "merge-base", "--is-ancestor", first, second)).toBe("");
  expect(git(folder, "branch", "--list", "--all")).toBe("* main");
  expect(git(folder, "ls-files", "--others")).toBe("b.txt");
});

test("detects a change made in the same second in which git checked a file, even if its size is unchanged", async () => {
  const folder = newRepository();
  const at = await openGit(folder, ENV);
  // A test can't set a file's ctime, so git must ignore it.
  git(folder, "config", "core.trustctime", "false");
  const second = new Date("2026-01-01T00:00:00Z");
  const during = (path: string) => utimesSync(join(folder, path), second, second);
  during("a.txt");
  git(folder, "add", "--refresh", "a.txt");
  during(".git/index");
  write(folder, { "a.txt": "two\n" });
  during("a.txt");
  const taken = await takeSnapshot(at, "refs/agentwire/wt/s1");
  expect(git(folder, "show", `${taken}:a.txt`)).toBe("two");
});
