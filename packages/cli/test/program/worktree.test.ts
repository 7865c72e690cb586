import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: home.project, encoding: "utf8", stdio: "pipe" }).trimEnd();

beforeAll(() => {
  home = new Home();
  git("init", "--quiet", "--initial-branch=main");
  for (const [key = "", value = ""] of [
    ["user.name", "Ann"],
    ["user.email", "ann@example.com"],
  ])
    git("config", key, value);
  writeFileSync(join(home.project, "a.txt"), "one\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
});
afterAll(() => home.end());

test("a prompt runs in a worktree, which is shown, merged and removed through its session", async () => {
  const ran = await home.run(["run", "--mode", "acceptEdits", "--worktree", "fix", "write `two` to b.txt"]);
  expect(ran).toMatchObject({ code: 0 });
  const { sessions } = JSON.parse((await home.run(["sessions", "--json"])).stdout);
  const [{ id, worktree }] = sessions;
  expect(worktree).toMatchObject({ branch: "worktree-fix", base: "main" });
  expect((await home.run(["sessions", "show", id])).stdout).toContain("worktree-fix, from main");
  const shown = await home.run(["worktree", "show", id]);
  expect(shown.stdout).toMatch(/branch +worktree-fix\n[\s\S]*b\.txt +\+1 -0/);
  expect((await home.run(["worktree", "diff", id])).stdout).toContain("+two");
  const refused = await home.run(["worktree", "remove", id]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("not committed: b.txt") });
  const kept = await home.run(["worktree", "keep", id]);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining("worktree-fix is kept in") });
  const merged = await home.run(["worktree", "merge", id, "--commit", "add b"]);
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining("is merged") });
  expect(readFileSync(join(home.project, "b.txt"), "utf8").trim()).toBe("two");
  expect(existsSync(worktree.path)).toBe(false);
  const late = await home.run(["run", "--session", id, "hello"]);
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("merged into main") });
  const both = await home.run(["run", "--session", id, "hello", "--worktree"]);
  expect(both.stderr).toContain("--worktree can't be combined with --session");
}, 90_000);
