import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageService } from "@agentwire/api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mustBeAccessible } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const repository = join(stage.folder, "work", "shop");
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();

beforeAll(async () => {
  await stage.open({
    talker: { steps: [], whenExhausted: { text: "Here I am." } },
    asker: { steps: [{ content: [use("toolu_t", "Bash", { command: "touch made.txt" })] }] },
  });
  for (const folder of ["docs", "src", ".cache"]) mkdirSync(join(repository, folder), { recursive: true });
  mkdirSync(join(stage.folder, "work", "notes"));
  writeFileSync(join(repository, "a.txt"), "a\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Tester");
  git("config", "user.email", "tester@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  git("branch", "release");
  git("switch", "--quiet", "--create", "topic");
  writeFileSync(join(repository, "b.txt"), "b\n");
  git("add", ".");
  git("commit", "--quiet", "--message=second");
  git("switch", "--quiet", "main");
  await stage.client.sessions.createSession({ cwd: repository, title: "Earlier" });
}, 240_000);
afterAll(() => stage.close(), 60_000);

const openForm = async (page: Page) => {
  await page.goto(`${stage.url}/#/new`);
  await page.getByRole("heading", { name: "New session" }).waitFor();
};
const folder = (page: Page) => page.getByRole("combobox", { name: "Folder" });
const start = (page: Page) => page.getByRole("button", { name: "Start" }).click();

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("the form offers folders to choose from, and shows errors below their fields", async () => {
    const page = await stage.view(SIZES[size]);
    await openForm(page);
    await page.getByRole("list", { name: "Recent folders" }).getByRole("button", { name: "shop" }).click();
    expect(await folder(page).inputValue()).toBe(repository);
    await page.getByRole("button", { name: "Browse" }).click();
    const folders = page.getByRole("list", { name: "Folders", exact: true });
    await folders.getByRole("button", { name: "docs" }).waitFor();
    expect(await folders.getByRole("button").allTextContents()).toEqual(["docs", "src"]);
    await page.getByRole("checkbox", { name: "Show 2 hidden folders" }).check();
    await folders.getByRole("button", { name: ".cache" }).waitFor();
    await page.getByRole("button", { name: "Up" }).click();
    await folders.getByRole("button", { name: "shop git" }).focus();
    await page.keyboard.press("ArrowUp");
    expect(await page.locator(":focus").textContent()).toBe("notes");
    await folders.getByRole("button", { name: "shop git" }).click();
    await page.getByRole("combobox", { name: "Branch" }).waitFor();
    await mustBeAccessible(page);
    await picture(page, `${size}-new-session`);
    await folder(page).fill("/nowhere");
    await start(page);
    await page.getByRole("alert").filter({ hasText: "There is no folder /nowhere" }).waitFor();
    expect(await folder(page).getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES[size].viewport.width);
    await mustBeAccessible(page);
    await picture(page, `${size}-new-session-problem`);
    await stage.leave(page);
  }, 240_000);
});

test("a session can start on a new branch, with a budget, or in a worktree based on another branch", async () => {
  const page = await stage.view();
  await openForm(page);
  await folder(page).fill(repository);
  await page.getByRole("combobox", { name: "Branch" }).selectOption("New branch…");
  await page.getByRole("textbox", { name: "New branch name" }).fill("a..b");
  await start(page);
  await page.getByRole("alert").filter({ hasText: "No branch can be called a..b" }).waitFor();
  expect(git("branch", "--show-current")).toBe("main");
  await page.getByRole("textbox", { name: "New branch name" }).fill("prices");
  await page.getByRole("combobox", { name: "Agent" }).selectOption("talker");
  await page.getByRole("combobox", { name: "Effort" }).selectOption("high");
  await page.getByRole("spinbutton", { name: "Budget in dollars" }).fill("2.5");
  await page.getByRole("textbox", { name: "What should the agent do?" }).fill("hello");
  await start(page);
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  expect(git("branch", "--show-current")).toBe("prices");
  const sessionId = page.url().split("/").at(-1) ?? "";
  const { budget } = await stage.connect(UsageService).getBudget({ sessionId });
  expect(budget?.limitUsd).toBe(2.5);
  expect((await stage.client.sessions.getSession({ sessionId })).session?.effort).toBe("high");

  await openForm(page);
  await folder(page).fill(repository);
  await page.getByRole("checkbox", { name: "Use a separate git worktree" }).check();
  await page.getByRole("combobox", { name: "Base branch" }).selectOption("topic");
  await page.getByRole("textbox", { name: "Worktree name" }).fill("aside");
  await start(page);
  await page.getByRole("button", { name: "worktree-aside" }).click();
  await page.getByRole("dialog").getByText("from topic").waitFor();
  expect(git("rev-parse", "worktree-aside")).toBe(git("rev-parse", "topic"));
  expect(git("branch", "--show-current")).toBe("prices");
  await stage.leave(page);
}, 240_000);

test("a branch can't be checked out while a session is running a turn there, or together with a worktree", async () => {
  const { sessions, questions } = stage.client;
  const { session } = await sessions.createSession({ agent: "asker", cwd: repository, prompt: "touch it" });
  await eventually(async () => (await questions.listQuestions({})).questions.length).toBe(1);
  await expect(sessions.createSession({ cwd: repository, branch: "main" })).rejects.toThrow(
    `branch: the session ${session?.id} is running a turn in ${repository}`,
  );
  await expect(
    sessions.createSession({ cwd: repository, branch: "main", worktree: { name: "x" } }),
  ).rejects.toThrow("branch: a worktree gets its own branch");
}, 240_000);
