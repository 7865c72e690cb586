import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { Stage } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const repository = join(stage.folder, "repository");
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: "pipe" }).trimEnd();

beforeAll(async () => {
  const write = use("toolu_w", "Write", { file_path: "hello.txt", content: "hello\n" });
  await stage.open({ writer: { steps: [{ content: [write] }, { text: "Written." }] } });
  mkdirSync(repository);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  writeFileSync(join(repository, "a.txt"), "one\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
}, 240_000);
afterAll(() => stage.close(), 60_000);

/** Starts a session in a worktree with that name, and has it write a file. */
async function begin(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "New session" }).first().click();
  await page.getByRole("textbox", { name: "What should the agent do?" }).fill("write a file");
  await page.getByRole("combobox", { name: "Folder" }).fill(repository);
  await page.getByRole("combobox", { name: "Agent" }).selectOption("writer");
  await page.getByRole("combobox", { name: /^Mode(?!l)/ }).selectOption("acceptEdits");
  await page.getByRole("checkbox", { name: "Use a separate git worktree" }).check();
  await page.getByRole("textbox", { name: "Worktree name" }).fill(name);
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".said", { hasText: "Written." }).waitFor();
}

test("a session in a worktree shows its branch and changes, and can be merged", async () => {
  const page = await stage.view();
  await begin(page, "from-console");
  expect(existsSync(join(repository, "hello.txt"))).toBe(false);
  await page.getByRole("button", { name: "worktree-from-console" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("from main").waitFor();
  await dialog.getByText("hello.txt").first().waitFor();
  await dialog.locator(".diff .added", { hasText: "hello" }).waitFor();
  expect(await dialog.getByRole("button", { name: "Remove" }).isDisabled()).toBe(true);
  expect(await flawsOf(page, { within: ".worktree-dialog" })).toEqual([]);
  writeFileSync(join(repository, "a.txt"), "mine\n");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/has changes that are not committed: a\.txt/)
    .waitFor();
  git("checkout", "--quiet", "a.txt");
  await dialog.getByRole("textbox", { name: "Commit message for uncommitted changes" }).fill("add hello");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByText("merged into main", { exact: true }).waitFor();
  expect(readFileSync(join(repository, "hello.txt"), "utf8")).toBe("hello\n");
  expect(git("log", "-1", "--format=%s")).toBe("add hello");
  await stage.leave(page);
}, 240_000);

test("a worktree with unmerged work can be removed only if discarding is ticked", async () => {
  git("reset", "--quiet", "--hard", "HEAD~1");
  const page = await stage.view();
  await begin(page, "to-remove");
  await page.getByRole("button", { name: "worktree-to-remove" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Discard this work on removal" }).check();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("worktree removed", { exact: true }).waitFor();
  expect(existsSync(join(repository, ".claude/worktrees/to-remove"))).toBe(false);
  await stage.leave(page);
}, 240_000);
