import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The environment of the tests, which excludes the user's own git configuration. */
export const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

/** Runs git as a user would. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, env: ENV, encoding: "utf8", stdio: "pipe" }).trimEnd();
}

/** Writes files, given by their paths in a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Commits everything in a folder. */
export function commit(folder: string, message: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", `--message=${message}`);
}

/** A new folder, removed after the test. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-worktree-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with one commit of these files on the branch main, removed after the test. */
export function newRepository(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): string {
  const folder = newFolder();
  git(folder, "init", "--quiet", "--initial-branch=main");
  write(folder, files);
  commit(folder, "first");
  return folder;
}
