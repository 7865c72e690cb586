import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { png } from "./png.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const todos = (...statuses: readonly string[]) => ({
  todos: statuses.map((status, index) => ({
    content: `Thing ${index}`,
    activeForm: `Doing ${index}`,
    status,
  })),
});

const stage = new Stage();
beforeAll(async () => {
  await stage.open({
    viewer: {
      steps: [
        { content: [use("toolu_read", "Read", { file_path: "{{cwd}}/made.png" })] },
        { text: "It is green." },
      ],
    },
    writer: {
      steps: [
        {
          content: [
            use("toolu_write", "Write", { file_path: "{{cwd}}/new.md", content: "# Title\n\nWords.\n" }),
          ],
        },
        { text: "Written." },
      ],
    },
    planner: {
      steps: [
        { content: [use("toolu_todo", "TodoWrite", todos("completed", "in_progress", "pending"))] },
        { content: [use("toolu_bash", "Bash", { command: "touch later" })] },
      ],
    },
    delegator: {
      steps: [
        {
          content: [
            use("toolu_task", "Agent", {
              description: "Look",
              prompt: "Look",
              subagent_type: "general-purpose",
              run_in_background: false,
            }),
          ],
        },
        { content: [use("toolu_glob", "Glob", { pattern: "*.png" })] },
        { text: "One picture." },
        { text: "The subagent found one." },
      ],
    },
    endless: { steps: [{ text: `# Title${" ".repeat(200_000)}end\n\nAnd **more**.`, chunkSize: 4000 }] },
    stuck: {
      steps: [{ text: "word ".repeat(400), chunkSize: 5, chunkDelay: 10, stallAfterChunks: 390 }],
    },
  });
  writeFileSync(join(stage.project, "made.png"), png(40, 30, [31, 111, 92]));
}, 240_000);
afterAll(() => stage.close(), 60_000);

/** The natural widths of images; 0 for one that the browser could not decode. */
const widths = (page: Page, within: string) =>
  page
    .locator(`${within} img`)
    .evaluateAll((images) => images.map((image) => (image as { naturalWidth?: number }).naturalWidth));

test("images can be attached to a prompt, and an image read by a tool is shown", async () => {
  const { page } = await stage.tab("viewer");
  const picker = page.getByLabel("Attach files");
  await picker.setInputFiles({ name: "a.bin", mimeType: "", buffer: Buffer.from([0, 255]) });
  await page.getByText("a.bin can't be attached").waitFor();
  const files = [20, 24].map((width) => ({
    name: `${width}.png`,
    mimeType: "image/png",
    buffer: png(width, 10, [200, 80, 0]),
  }));
  await picker.setInputFiles(files);
  await page.getByRole("button", { name: "Remove image 1" }).click();
  await eventually(() => widths(page, ".attached")).toEqual([24]);
  await say(page, "What color is the other one?");
  await eventually(() => widths(page, ".prompt-bubble")).toEqual([24]);
  await page.locator(".attached").waitFor({ state: "detached" });
  await page.locator(".said", { hasText: "It is green." }).waitFor();
  await page.locator('.call[data-tool="Read"] summary').click();
  await eventually(() => widths(page, '.call[data-tool="Read"]')).toEqual([40]);
  await stage.leave(page);
}, 240_000);

test("a line of 200 KB does not freeze the page", async () => {
  const { page } = await stage.tab("endless");
  await page.evaluate(`
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 20);
  `);
  await say(page, "go");
  await page.locator(".said", { hasText: "And **more**." }).waitFor();
  expect(await page.evaluate("window.longest")).toBeLessThan(3000);
  await stage.leave(page);
}, 240_000);

test("a Write call shows the file's lines before it is allowed and its line count afterwards", async () => {
  const { page } = await stage.tab("writer");
  await say(page, "write it");
  const card = page.getByRole("region", { name: "Allow Write?" });
  await card.waitFor();
  expect(await card.locator(".path").textContent()).toBe("new.md");
  expect(await card.locator(".added .line").allTextContents()).toEqual(["# Title", "", "Words."]);
  await card.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "Written." }).waitFor();
  expect(await page.locator('.call[data-tool="Write"] .counts').textContent()).toBe("+3 −0");
  await stage.leave(page);
}, 240_000);

test("the agent's to-do list is shown above the prompt", async () => {
  const { page } = await stage.tab("planner");
  await say(page, "plan it");
  const panel = page.locator(".todo");
  await panel.getByText("1 of 3 done").waitFor();
  expect(await panel.locator("summary").textContent()).toContain("Doing 1");
  await panel.locator("summary").click();
  expect(await panel.locator("li.completed").textContent()).toContain("Thing 0");
  expect(await panel.locator("li.pending").textContent()).toContain("Thing 2");
  await stage.leave(page);
}, 240_000);

test("every item, even one inside a subagent, shows its stored event and the agent's line", async () => {
  const { page } = await stage.tab("delegator");
  await say(page, "delegate");
  await page.locator(".history > ol > li > .said", { hasText: "found one" }).waitFor();
  await page.locator(".inner > summary").click();
  const inner = page.locator(".nested > li", { has: page.locator('.call[data-tool="Glob"]') });
  await inner.hover();
  await inner.getByRole("button", { name: /as received/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The agent's line").waitFor();
  expect(await dialog.textContent()).toMatch(
    /"parentToolUseId": "toolu_task".*"parent_tool_use_id": "toolu_task"/s,
  );
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  for (const row of await page.locator(".history .item").all())
    expect(await row.locator("> .raw-button").count()).toBe(1);
  await stage.leave(page);
}, 240_000);

test("a prompt queued before the loaded part of the history is shown, and can be withdrawn", async () => {
  const { sessions } = stage.client;
  const { session } = await sessions.createSession({ agent: "stuck", cwd: stage.project, prompt: "talk" });
  const sessionId = session?.id ?? "";
  await eventually(async () => (await lastSeq(sessionId)) > 10).toBe(true);
  const { seq } = await sessions.sendPrompt({ sessionId, text: "and then this" });
  await eventually(async () => (await lastSeq(sessionId)) - Number(seq) > 250).toBe(true);
  const page = await stage.view({ sessionId });
  const queue = page.getByRole("region", { name: "Queued prompts" });
  await queue.getByText("and then this").waitFor();
  await queue.getByRole("button", { name: "Withdraw" }).click();
  await queue.waitFor({ state: "detached" });
  expect((await sessions.getSession({ sessionId })).queue).toEqual([]);
  await sessions.interrupt({ sessionId });
  await page.locator('[data-status="idle"]').waitFor();
  await stage.leave(page);
}, 240_000);

const lastSeq = async (sessionId: string) =>
  Number((await stage.client.sessions.getSession({ sessionId })).session?.lastSeq ?? 0n);
