import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createWorktree, mergeWorktree, removeWorktree, workIn } from "../../src/worktree/index.ts";
import { commit, ENV, git, newFolder, newRepository, write } from "./repository-of-files.ts";

const make = (folder: string, name?: string, baseRef: "fresh" | "head" = "head") =>
  createWorktree({ folder, name, baseRef, env: ENV });

describe("a new worktree", () => {
  test("is in .claude/worktrees on a separate branch, and does not show up in the checkout's status", async () => {
    const folder = newRepository();
    const made = await make(folder, "feature/one");
    const path = join(folder, ".claude/worktrees/feature+one");
    expect(made).toEqual({
      name: "feature+one",
      path,
      branch: "worktree-feature+one",
      checkout: folder,
      base: "main",
      baseCommit: git(folder, "rev-parse", "HEAD"),
    });
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("one\n");
    expect(git(path, "branch", "--show-current")).toBe("worktree-feature+one");
    expect(git(folder, "status", "--short")).toBe("");
  });

  test("gets a random name unless one is given", async () => {
    const made = await make(newRepository());
    expect(made.name).toMatch(/^[a-z]+-[a-z]+-[0-9a-f]{4}$/);
  });

  test("is reused if it exists, and so is the branch of a removed one", async () => {
    const folder = newRepository();
    const { path } = await make(folder, "wt");
    write(path, { "b.txt": "two\n" });
    expect((await make(folder, "wt")).path).toBe(path);
    expect(existsSync(join(path, "b.txt"))).toBe(true);
    commit(path, "second");
    git(folder, "worktree", "remove", path);
    const again = await make(folder, "wt");
    expect(existsSync(join(path, "b.txt"))).toBe(true);
    expect(again.baseCommit).toBe(git(folder, "rev-parse", "main"));
  });

  test("starts at the last known commit of origin's default branch unless HEAD is requested", async () => {
    const origin = newRepository();
    const folder = newFolder();
    git(folder, "clone", "--quiet", origin, "clone");
    const clone = join(folder, "clone");
    write(clone, { "local.txt": "local\n" });
    commit(clone, "local");
    expect(existsSync(join((await make(clone, "fresh", "fresh")).path, "local.txt"))).toBe(false);
    expect(existsSync(join((await make(clone, "head", "head")).path, "local.txt"))).toBe(true);
  });

  test("created from within a worktree is placed next to it", async () => {
    const folder = newRepository();
    const { path } = await make(folder, "one");
    const two = await make(path, "two");
    expect(two).toMatchObject({
      path: join(folder, ".claude/worktrees/two"),
      checkout: path,
      base: "worktree-one",
    });
  });

  test("is refused without a repository, without a commit, and if its path is taken", async () => {
    const folder = newFolder();
    await expect(make(folder, "wt")).rejects.toMatchObject({ code: "not_a_repository" });
    git(folder, "init", "--quiet");
    await expect(make(folder, "wt")).rejects.toMatchObject({ code: "no_commit" });
    const other = newRepository();
    write(other, { ".claude/worktrees/wt/mine.txt": "mine" });
    await expect(make(other, "wt")).rejects.toMatchObject({ code: "exists" });
    expect(readFileSync(join(other, ".claude/worktrees/wt/mine.txt"), "utf8")).toBe("mine");
  });

  test.each([
    "",
    "..",
    "a/../b",
    "/etc",
    "a//b",
    "-x",
    "a b",
    "a\nb",
    "x.lock",
    "x.",
    "a..b",
    "é",
    "a".repeat(65),
    "$(id)",
  ])("is refused the name %j", async (name) => {
    await expect(make("/nowhere", name)).rejects.toMatchObject({ code: "bad_name" });
  });
});

describe("files that git ignores", () => {
  test("are copied only if .worktreeinclude lists them", async () => {
    const folder = newRepository({
      ".gitignore": ".env*\nnode_modules/\nsecrets/\nlink\n",
      ".worktreeinclude": "# what a session needs\n.env\nsecrets/*.key\na.txt\nlink\n",
      "a.txt": "one\n",
    });
    const outside = newFolder();
    write(outside, { target: "outside" });
    symlinkSync(join(outside, "target"), join(folder, "link"));
    write(folder, {
      ".env": "A=1",
      ".env.local": "B=2",
      "secrets/x.key": "k",
      "secrets/x.txt": "t",
      "node_modules/m/.env": "C=3",
    });
    write(folder, { "a.txt": "changed\n" });
    const { path } = await make(folder, "wt");
    const at = (name: string) =>
      existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8") : undefined;
    expect([at(".env"), at("secrets/x.key"), at("node_modules/m/.env")]).toEqual(["A=1", "k", "C=3"]);
    expect([at(".env.local"), at("secrets/x.txt"), at("link")]).toEqual([undefined, undefined, undefined]);
    expect(at("a.txt")).toBe("one\n");
  });

  test("are not copied through a link that the commit contains in place of their folder", async () => {
    const outside = newFolder();
    const folder = newRepository({ ".gitignore": "conf/.env\n", ".worktreeinclude": ".env\n" });
    symlinkSync(outside, join(folder, "conf"));
    commit(folder, "link");
    git(folder, "rm", "--quiet", "--cached", "conf");
    git(folder, "clean", "--quiet", "--force", "conf");
    write(folder, { "conf/.env": "A=1" });
    await make(folder, "wt");
    expect(existsSync(join(outside, ".env"))).toBe(false);
  });
});

describe("the work in a worktree", () => {
  test("is everything that differs from the base: commits, changes and new files, but no ignored files", async () => {
    const folder = newRepository({ ".gitignore": "*.log\n", "a.txt": "one\n", "gone.txt": "x\n" });
    const made = await make(folder, "wt");
    write(made.path, { "a.txt": "one\ntwo\n" });
    commit(made.path, "second");
    git(made.path, "rm", "--quiet", "gone.txt");
    write(made.path, { "new.txt": "new\n", "noise.log": "noise\n" });
    const work = await workIn(made, ENV);
    expect(work).toMatchObject({ branch: "worktree-wt", unmerged: 1, isCut: false });
    expect(work.uncommitted.toSorted()).toEqual(["gone.txt", "new.txt"]);
    expect(work.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "a.txt", insertions: 1, deletions: 0 },
      { path: "gone.txt", insertions: 0, deletions: 1 },
      { path: "new.txt", insertions: 1, deletions: 0 },
    ]);
    expect(work.patch).toContain("+two");
    expect(git(made.path, "status", "--short")).toBe("D  gone.txt\n?? new.txt");
  });
});

describe("a worktree is removed", () => {
  test("with its branch if nothing would be lost", async () => {
    const folder = newRepository();
    const made = await make(folder, "wt");
    await removeWorktree(made, false, ENV);
    expect(existsSync(made.path)).toBe(false);
    expect(git(folder, "branch", "--list")).toBe("* main");
  });

  test("with changes or commits only if they are to be discarded", async () => {
    const folder = newRepository();
    const made = await make(folder, "wt");
    write(made.path, { "b.txt": "two\n" });
    await expect(removeWorktree(made, false, ENV)).rejects.toMatchObject({
      code: "dirty",
      message: /b\.txt/,
    });
    commit(made.path, "second");
    await expect(removeWorktree(made, false, ENV)).rejects.toMatchObject({
      code: "unmerged",
      message: /1 commit/,
    });
    expect(existsSync(join(made.path, "b.txt"))).toBe(true);
    expect(await removeWorktree(made, true, ENV)).toEqual({ uncommitted: [], unmerged: 1 });
    expect(existsSync(made.path)).toBe(false);
  });

  test("never if it is not a worktree of the repository", async () => {
    const folder = newRepository();
    const made = await make(folder, "wt");
    for (const path of [folder, newRepository(), newFolder()])
      await expect(removeWorktree({ ...made, path }, true, ENV)).rejects.toMatchObject({
        code: "not_a_repository",
      });
    expect(existsSync(join(folder, "a.txt"))).toBe(true);
  });
});

describe("a worktree is merged", () => {
  test("into the checkout of its base, and then removed", async () => {
    const folder = newRepository();
    const [one, two] = [await make(folder, "one"), await make(folder, "two")];
    write(one.path, { "one.txt": "1\n" });
    commit(one.path, "one");
    write(two.path, { "two.txt": "2\n" });
    await mergeWorktree(one, undefined, ENV);
    await expect(mergeWorktree(two, undefined, ENV)).rejects.toMatchObject({
      code: "dirty",
      message: /two\.txt/,
    });
    await mergeWorktree(two, "add two", ENV);
    expect([existsSync(join(folder, "one.txt")), existsSync(join(folder, "two.txt"))]).toEqual([true, true]);
    expect(git(folder, "log", "--format=%s", "--no-merges").split("\n").toSorted()).toEqual([
      "add two",
      "first",
      "one",
    ]);
    expect(git(folder, "branch", "--list")).toBe("* main");
    expect(existsSync(two.path)).toBe(false);
  });

  test("only without conflicts: otherwise the base stays unchanged, and the error names the files", async () => {
    const folder = newRepository();
    const made = await make(folder, "wt");
    write(made.path, { "a.txt": "theirs\n" });
    commit(made.path, "theirs");
    write(folder, { "a.txt": "ours\n" });
    commit(folder, "ours");
    await expect(mergeWorktree(made, undefined, ENV)).rejects.toMatchObject({
      code: "conflict",
      message: /in a\.txt/,
    });
    expect(git(folder, "status", "--short")).toBe("");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("ours\n");
    expect(existsSync(made.path)).toBe(true);
  });

  test("only into a clean checkout of its base", async () => {
    const folder = newRepository();
    const made = await make(folder, "wt");
    write(made.path, { "b.txt": "two\n" });
    write(folder, { "a.txt": "changed\n" });
    await expect(mergeWorktree(made, "two", ENV)).rejects.toMatchObject({
      code: "dirty_base",
      message: /a\.txt/,
    });
    git(folder, "checkout", "--quiet", "-b", "other");
    await expect(mergeWorktree(made, "two", ENV)).rejects.toMatchObject({
      code: "no_base",
      message: /git switch main/,
    });
    expect(git(made.path, "status", "--short")).toBe("?? b.txt");
  });
});

describe("an untrusted repository", () => {
  test("runs none of its hooks, filters, monitors and drivers", async () => {
    const folder = newRepository({
      ".gitattributes": "*.txt filter=evil merge=evil diff=evil\n",
      "a.txt": "one\n",
    });
    const mark = join(newFolder(), "ran");
    const run = `touch ${mark}; cat`;
    for (const hook of [
      "post-checkout",
      "pre-commit",
      "post-merge",
      "reference-transaction",
      "pre-merge-commit",
    ])
      writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
    for (const [key, value] of [
      ...["clean", "smudge", "process"].map((what) => [`filter.evil.${what}`, run] as const),
      ["filter.evil.required", "true"],
      ["merge.evil.driver", run],
      ["diff.evil.textconv", run],
      ["diff.evil.command", run],
      ["diff.external", run],
      ["core.fsmonitor", run],
      ["core.editor", run],
      ["gpg.program", run],
      ["commit.gpgSign", "true"],
      ["core.hooksPath", ".git/hooks"],
      ["filter.a=b.smudge", run],
    ] as const)
      git(folder, "config", key, value);
    const made = await make(folder, "wt");
    write(made.path, { "a.txt": "theirs\n", "b.txt": "two\n" });
    await workIn(made, ENV);
    await mergeWorktree(made, "theirs", ENV);
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("theirs\n");
  });

  test("can't redirect worktrees through a link", async () => {
    const outside = newFolder();
    const folder = newRepository();
    write(folder, { ".claude/x": "" });
    symlinkSync(outside, join(folder, ".claude/worktrees"));
    await expect(make(folder, "wt")).rejects.toMatchObject({ code: "unsafe_path" });
  });

  test("is not confused with another one that the environment names", async () => {
    const folder = newRepository();
    const other = newRepository();
    const env = { ...ENV, GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other };
    const made = await createWorktree({ folder, name: "wt", baseRef: "head", env });
    expect(made.checkout).toBe(folder);
  });
});
