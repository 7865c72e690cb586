import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mustFitEverySize } from "./accessible.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
beforeAll(
  () =>
    stage.open(
      {
        asker: {
          steps: [{ content: [use("toolu_t", "Bash", { command: "touch made.txt" })] }, { text: "Done." }],
        },
        talker: { steps: [], whenExhausted: { text: "Here I am." } },
        delegator: {
          steps: [
            {
              content: [
                use("toolu_task", "Agent", {
                  description: "Look around",
                  prompt: "Look around",
                  subagent_type: "general-purpose",
                  run_in_background: false,
                }),
              ],
            },
            { content: [use("toolu_glob", "Glob", { pattern: "*" })] },
            { text: "Nothing is here." },
            { text: "The subagent found nothing." },
          ],
        },
      },
      // Replaces the default, which trusts the stage's folder: one of its folders must be untrusted.
      { daemon: { spare_processes: 0 } },
    ),
  240_000,
);
afterAll(() => stage.close(), 60_000);

test("a session can be started with a folder, an agent and a first prompt", async () => {
  const page = await stage.view();
  await page.getByRole("link", { name: "New session" }).first().click();
  await page.getByRole("textbox", { name: "What should the agent do?" }).fill("say something");
  await page.getByRole("combobox", { name: "Folder" }).fill(stage.project);
  await page.getByRole("combobox", { name: "Agent" }).selectOption("talker");
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  await page.getByRole("heading", { name: "say something" }).waitFor();
  await stage.leave(page);
}, 240_000);

test("an untrusted folder is asked about, with the settings its files request", async () => {
  const cwd = join(stage.folder, "strange");
  const mark = join(stage.folder, "hook-ran");
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${mark}` }] }] };
  mkdirSync(join(cwd, ".claude"), { recursive: true });
  writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ hooks }));
  for (const [answer, isTrusted] of [
    ["Start without them", false],
    ["Trust and start", true],
  ] as const) {
    const page = await stage.view();
    await page.getByRole("link", { name: "New session" }).first().click();
    await page.getByRole("textbox", { name: "What should the agent do?" }).fill("say something");
    await page.getByRole("combobox", { name: "Folder" }).fill(cwd);
    await page.getByRole("combobox", { name: "Agent" }).selectOption("talker");
    await page.getByRole("button", { name: "Start" }).click();
    const question = page.getByRole("region", { name: "Trust" });
    await question.getByText(`touch ${mark}`).waitFor();
    await question.getByRole("button", { name: answer }).click();
    await page.locator(".said", { hasText: "Here I am." }).waitFor();
    expect(existsSync(mark)).toBe(isTrusted);
    expect(
      (await page.getByText("is not trusted, so the agent was started without its settings").count()) > 0,
    ).toBe(!isTrusted);
    await stage.leave(page);
  }
}, 240_000);

test("a session can be renamed, found, forked, deleted and restored", async () => {
  const { page, id } = await stage.tab("talker");
  await say(page, "begin");
  await page.locator(".turn-end").waitFor();
  const menu = page.getByLabel("Session actions");
  await menu.click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("a rare name");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "a rare name" }).waitFor();

  await page.getByRole("searchbox", { name: "Search sessions" }).fill("rare");
  await eventually(() => page.locator(".session-row").count()).toBe(1);

  await menu.click();
  await page.getByRole("button", { name: "Fork" }).click();
  await eventually(() => page.url()).not.toContain(id);

  await stage.show(page, id);
  await menu.click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted “a rare name”.").waitFor();
  const { sessions } = await stage.client.sessions.listSessions({});
  expect(sessions.map((session) => session.id)).not.toContain(id);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { name: "a rare name" }).waitFor();
  await stage.leave(page);
}, 240_000);

test("sessions with questions are listed first, and cause a notification if the browser allows it", async () => {
  const signedIn = await stage.view();
  const storageState = await signedIn.context().storageState();
  await stage.leave(signedIn);
  const page = await stage.stranger({ permissions: ["notifications"], storageState });
  await page.addInitScript(`
    window.told = [];
    window.Notification = class { static permission = "granted"; constructor(title, options) { window.told.push(options.body); } };
  `);
  await page.goto(stage.url);
  await page.getByRole("heading", { name: "Nothing needs your attention" }).waitFor();
  const { session } = await stage.client.sessions.createSession({
    agent: "asker",
    cwd: stage.project,
    prompt: "go",
  });
  await page.getByRole("link", { name: "Go to the question" }).waitFor();
  expect(await page.getByRole("list", { name: "Open questions" }).textContent()).toContain("touch made.txt");
  expect(await page.evaluate("window.told")).toEqual(["Allow Bash?"]);
  expect(await page.title()).toMatch(/^\(1\)/);
  const [first] = await page.locator(".session-row").all();
  expect(await first?.getAttribute("href")).toContain(session?.id);
  await page.getByRole("link", { name: "Go to the question" }).click();
  await page.getByRole("button", { name: "Deny and stop" }).click();
  await page.locator('[data-status="idle"]').waitFor();
  await page.context().close();
}, 240_000);

test("a subagent's steps are shown inside the call that started it", async () => {
  const { page } = await stage.tab("delegator");
  await say(page, "delegate");
  await page.locator(".history > ol > li > .said", { hasText: "found nothing" }).waitFor();
  const inner = page.locator('li:has(> .call[data-tool="Agent"]) > .inner');
  await inner.locator("summary").first().click();
  await inner.locator('.call[data-tool="Glob"]').waitFor();
  expect(await page.locator('.call[data-tool="Agent"] .output').textContent()).toContain("Nothing is here.");
  await mustFitEverySize(page, "subagent");
  await stage.leave(page);
}, 240_000);
