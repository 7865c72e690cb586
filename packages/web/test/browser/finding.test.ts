import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf, mustFitEverySize } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";

const stage = new Stage();
beforeAll(async () => {
  await stage.open({
    teller: {
      steps: [
        { text: "The heron stands in the reeds." },
        { text: "The second answer tells of an otter." },
        { text: "The third answer." },
      ],
    },
  });
}, 240_000);
afterAll(() => stage.close(), 60_000);

async function isAccessible(page: Page, within: string): Promise<void> {
  expect(await flawsOf(page, { within })).toEqual([]);
}

async function begin(title: string): Promise<string> {
  const { session } = await stage.client.sessions.createSession({
    agent: "teller",
    cwd: stage.project,
    title,
  });
  return session?.id ?? "";
}

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("search finds words in any session and in the open one, and leads to their place", async () => {
    const id = await begin(`birds ${size}`);
    const page = await stage.view({ ...SIZES[size], sessionId: id });
    await say(page, `which bird is at the ${size}?`);
    await page.locator(".said", { hasText: "heron" }).waitFor();
    await say(page, "and then?");
    await page.locator(".said", { hasText: "otter" }).waitFor();

    await page.goto(`${stage.url}/#/search/`);
    const box = page.getByRole("searchbox", { name: "Words in any session" });
    await box.fill(`BIRD ${size}`);
    const hits = page.getByRole("region", { name: `birds ${size}` });
    await hits.getByText("Prompt").waitFor();
    expect(await hits.locator("mark").allTextContents()).toEqual(["bird", size]);
    await isAccessible(page, ".search-page");
    await picture(page, `${size}-search`);
    await hits.locator(".hit").click();
    await page.locator(".item.found", { hasText: `which bird is at the ${size}?` }).waitFor();

    await page.getByLabel("Session actions").click();
    await page.getByRole("button", { name: "Find", exact: true }).click();
    const find = page.getByRole("searchbox", { name: "Find in this session" });
    await find.fill("the");
    await page.getByText("1 of 4").waitFor();
    await page.locator(".item.found", { hasText: "otter" }).waitFor();
    await isAccessible(page, ".find-bar");
    await picture(page, `${size}-find`);
    await find.press("Enter");
    await page.locator(".item.found", { hasText: "and then?" }).waitFor();
    await find.press("Escape");
    await find.waitFor({ state: "hidden" });
    await stage.leave(page);
  }, 240_000);
});

test("a conversation can be rewound to a message, whose text returns to the prompt field, or forked before it", async () => {
  const id = await begin("to take back");
  const page = await stage.view({ ...SIZES.laptop, sessionId: id });
  await say(page, "first");
  await page.locator(".said", { hasText: "heron" }).waitFor();
  await say(page, "second");
  await page.locator(".said", { hasText: "otter" }).waitFor();
  const second = page.locator(".item", { hasText: "second" }).first();
  await second.getByRole("button", { name: "Rewind to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Rewind" });
  await dialog.getByText("1 prompt and its reply will be removed from the conversation").waitFor();
  await mustFitEverySize(page, "rewind-conversation");
  await dialog.getByRole("radio", { name: "Conversation only" }).check();
  await dialog.getByRole("button", { name: "Rewind", exact: true }).click();
  await page.getByText("1 prompt removed.").waitFor();
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await eventually(() => prompt.inputValue()).toBe("second");
  await page.locator(".said", { hasText: "otter" }).waitFor({ state: "detached" });
  await page.getByText("The conversation was rewound by one prompt.").waitFor();
  await page.locator(".said", { hasText: "heron" }).waitFor();
  // A reload shows the same.
  await page.reload();
  await page.getByText("The conversation was rewound by one prompt.").waitFor();
  expect(await page.locator(".said", { hasText: "otter" }).count()).toBe(0);
  await page
    .locator(".item", { hasText: "first" })
    .first()
    .getByRole("button", { name: "Rewind to before this message" })
    .click();
  await dialog.getByRole("button", { name: "Fork from here" }).click();
  await page.getByText("No messages yet.").waitFor();
  await eventually(() => prompt.inputValue()).toBe("first");
  await stage.leave(page);
}, 240_000);

test("a Claude Code conversation can be found, opened, continued, and saved as HTML", async () => {
  const id = "5f9d2c1e-7c0b-4a53-9d6d-3f4a3f5f2f11";
  const folder = join(stage.folder, ".claude", "projects", stage.project.replace(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const line = (uuid: string, parentUuid: string | null, type: string, message: object) =>
    JSON.stringify({
      ...{ parentUuid, isSidechain: false, userType: "external", cwd: stage.project, sessionId: id },
      ...{ version: "2.1.325", type, message, uuid, timestamp: "2026-01-02T03:04:05.000Z" },
    });
  const reply = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-x",
    stop_reason: "end_turn",
  };
  const [u, a] = ["5f9d2c1e-0000-4a53-9d6d-000000000001", "5f9d2c1e-0000-4a53-9d6d-000000000002"];
  const usage = { input_tokens: 1, output_tokens: 1 };
  writeFileSync(
    join(folder, `${id}.jsonl`),
    [
      line(u, null, "user", { role: "user", content: "which fish swims here?" }),
      line(a, u, "assistant", { ...reply, content: [{ type: "text", text: "A **trout**." }], usage }),
      "",
    ].join("\n"),
  );
  const page = await stage.view(SIZES.laptop);
  // Its text is found before it has been opened here.
  await page.goto(`${stage.url}/#/search/trout`);
  const hits = page.getByRole("region", { name: "Claude Code sessions" });
  await hits.locator("mark", { hasText: "trout" }).waitFor();
  await page.goto(`${stage.url}/#/local`);
  await page.getByRole("searchbox", { name: "Search Claude Code sessions" }).fill("FISH");
  const row = page.getByRole("button", { name: /which fish swims here/ });
  await row.waitFor();
  await mustFitEverySize(page, "local");
  await row.click();
  await page.locator(".said", { hasText: "trout" }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.getByLabel("Session actions").click();
      await page.getByRole("button", { name: "Save as HTML" }).click();
    })(),
  ]);
  expect(download.suggestedFilename()).toBe("which-fish-swims-here-.html");
  expect(readFileSync(await download.path(), "utf8")).toContain("<p>A <strong>trout</strong>.</p>");
  await say(page, "and what else?");
  await page.locator(".turn-end").waitFor();
  await eventually(() => readFileSync(join(folder, `${id}.jsonl`), "utf8")).toContain("and what else?");
  await stage.leave(page);
}, 240_000);

test("sessions can be pinned, archived, grouped by folder, and stepped through with keys", async () => {
  const [one, two] = [await begin("Oak tree"), await begin("Elm tree")];
  const page = await stage.view({ ...SIZES.desktop, sessionId: one });
  const menu = async (name: string) => {
    await page.getByLabel("Session actions").click();
    await page.getByRole("button", { name, exact: true }).click();
  };
  await menu("Pin");
  const rows = page.locator(".session-row");
  await eventually(() => rows.first().textContent()).toContain("Oak tree");
  await rows.first().getByRole("img", { name: "Pinned" }).waitFor();
  await page.getByRole("checkbox", { name: "By folder" }).check();
  await page.getByRole("list", { name: "Pinned" }).getByText("Oak tree").waitFor();
  await page.getByRole("list", { name: "project" }).getByText("Elm tree").waitFor();
  await mustFitEverySize(page, "groups");
  await page.getByRole("heading", { name: "Oak tree" }).click();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "Oak tree" }).waitFor({ state: "detached" });
  await page.keyboard.press("k");
  await page.getByRole("heading", { name: "Oak tree" }).waitFor();
  await stage.show(page, two);
  await menu("Archive");
  await page.getByText("Archived “Elm tree”.").waitFor();
  await rows.filter({ hasText: "Elm tree" }).waitFor({ state: "detached" });
  await say(page, "grow");
  await page.locator(".turn-end").waitFor();
  await page.getByRole("combobox", { name: "Sessions to show" }).selectOption("mine");
  await rows.filter({ hasText: "Oak tree" }).waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Sessions to show" }).selectOption("archived");
  await rows.filter({ hasText: "Elm tree" }).waitFor();
  await menu("Unarchive");
  await rows.filter({ hasText: "Elm tree" }).waitFor({ state: "detached" });
  await page.getByLabel("Session actions").click();
  await page.getByRole("combobox", { name: "Effort" }).selectOption("high");
  await eventually(
    async () => (await stage.client.sessions.getSession({ sessionId: two })).session?.effort,
  ).toBe("high");
  await stage.leave(page);
}, 240_000);
