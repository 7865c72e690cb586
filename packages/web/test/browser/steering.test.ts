import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf, mustFitEverySize } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
const PLAN = "# Prices\n\n1. Read `price.ts`\n2. Change it";
beforeAll(async () => {
  await stage.open({
    planner: {
      steps: [
        { content: [use("toolu_p", "ExitPlanMode", { plan: PLAN })] },
        { content: [use("toolu_p2", "ExitPlanMode", { plan: `${PLAN}\n3. Test it` })] },
        { text: "I begin." },
      ],
    },
    writer: {
      steps: [
        { content: [use("toolu_w", "Write", { file_path: "{{cwd}}/made.txt", content: "two\nlines\n" })] },
        { text: "Written." },
      ],
    },
  });
}, 240_000);
afterAll(() => stage.close(), 60_000);

async function isAccessible(page: Page, within: string): Promise<void> {
  expect(await flawsOf(page, { within })).toEqual([]);
}

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("a plan can be rejected with a reason, or carried out with edits accepted", async () => {
    const { session } = await stage.client.sessions.createSession({
      agent: "planner",
      cwd: stage.project,
      title: "a plan",
      permissionMode: "plan",
    });
    const sessionId = session?.id ?? "";
    const page = await stage.view({ ...SIZES[size], sessionId });
    await say(page, "plan it");
    const card = page.getByRole("region", { name: "Approve this plan?" });
    await card.getByRole("heading", { name: "Prices" }).waitFor();
    await isAccessible(page, ".plan");
    await picture(page, `${size}-plan`);
    await card.getByRole("button", { name: "No, because…" }).click();
    await card.getByRole("textbox", { name: "What should change?" }).fill("Test it as well.");
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByText("Test it", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Yes, and accept edits" }).click();
    await page.locator(".said", { hasText: "I begin." }).waitFor();
    const modeOf = async () =>
      (await stage.client.sessions.getSession({ sessionId })).session?.permissionMode;
    await eventually(modeOf).toBe("acceptEdits");
    await stage.leave(page);
  }, 240_000);
});

test("files can be rewound to before a message, after a preview", async () => {
  const file = join(stage.project, "made.txt");
  writeFileSync(file, "one\n");
  const { session } = await stage.client.sessions.createSession({
    agent: "writer",
    cwd: stage.project,
    title: "to rewind",
    permissionMode: "bypassPermissions",
  });
  const page = await stage.view({ ...SIZES.laptop, sessionId: session?.id ?? "" });
  await say(page, "write it");
  await page.locator(".said", { hasText: "Written." }).waitFor();
  expect(readFileSync(file, "utf8")).toBe("two\nlines\n");
  await page.getByLabel("Session actions").click();
  await page.getByRole("button", { name: "Context" }).click();
  const context = page.getByRole("dialog", { name: "Context" });
  await context.getByRole("row", { name: /Messages/ }).waitFor();
  await mustFitEverySize(page, "context");
  await page.keyboard.press("Escape");
  await context.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Rewind to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Rewind" });
  await dialog.getByText("1 prompt and its reply will be removed from the conversation").waitFor();
  await dialog.getByRole("radio", { name: "Files only" }).check();
  await dialog.getByText("1 file").waitFor();
  await mustFitEverySize(page, "rewind");
  await dialog.getByRole("button", { name: "Rewind", exact: true }).click();
  await page.getByText("1 file restored.").waitFor();
  expect(readFileSync(file, "utf8")).toBe("one\n");
  await stage.leave(page);
}, 240_000);

test("Ctrl+K goes to any session or page, and ? shows the keyboard shortcuts", async () => {
  await stage.client.sessions.createSession({ agent: "writer", cwd: stage.project, title: "Zebra crossing" });
  const page = await stage.view(SIZES.laptop);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("combobox").fill("zebra");
  await palette.getByRole("option", { name: /Zebra crossing/ }).waitFor();
  await palette.getByRole("option", { name: "Search everything for “zebra”" }).waitFor();
  await eventually(() => palette.getByRole("option").count()).toBe(2);
  await mustFitEverySize(page, "palette");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Zebra crossing" }).waitFor();
  await page.getByRole("heading", { name: "Zebra crossing" }).click();
  await page.getByRole("combobox", { name: "Sessions to show" }).selectOption("failed");
  await page.getByText("No matching sessions.").waitFor();
  await page.getByRole("combobox", { name: "Sessions to show" }).selectOption("all");
  await page.locator(".session-row", { hasText: "Zebra crossing" }).waitFor();
  await page.getByLabel("Session actions").click();
  await page.getByRole("button", { name: "Context" }).click();
  await page.getByRole("dialog", { name: "Context" }).getByText("No agent is running").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Context" }).waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "Zebra crossing" }).click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("go to a session or page").waitFor();
  await mustFitEverySize(page, "keys");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  await stage.leave(page);
}, 240_000);
