import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage } from "./stage.ts";

const stage = new Stage();
beforeAll(async () => {
  await stage.open({ talker: { steps: [], whenExhausted: { text: "Here I am." } } });
  const files = {
    ".gitignore": "secret/\n",
    "secret/session.txt": "",
    "src/session/session.ts": "",
    "src/price.ts": "",
    ".claude/commands/ship.md":
      "---\ndescription: Ships it\nargument-hint: <where>\n---\nShip to $ARGUMENTS\n",
    ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews code\n---\nReview.\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(stage.project, path, ".."), { recursive: true });
    writeFileSync(join(stage.project, path), text);
  }
}, 240_000);
afterAll(() => stage.close(), 60_000);

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt" });
const words = (page: Page) => page.locator(".suggested").allTextContents();

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("/ completes commands, @ completes files and subagents, arrows recall earlier prompts, and the chosen key sends", async () => {
    const { page } = await stage.tab("talker", SIZES[size]);
    await prompt(page).pressSequentially("/sh");
    const commands = page.getByRole("listbox", { name: "Commands" });
    await commands.getByText("Ships it").waitFor();
    expect((await words(page))[0]).toBe("/ship");
    expect(await flawsOf(page, { within: ".composer" })).toEqual([]);
    await picture(page, `${size}-commands`);
    await prompt(page).press("Tab");
    expect(await prompt(page).inputValue()).toBe("/ship ");
    await prompt(page).fill("");
    await prompt(page).pressSequentially("look at @ses");
    const files = page.getByRole("listbox", { name: "Files and subagents" });
    await files.getByText("@src/session/session.ts").waitFor();
    expect(await words(page)).not.toContain("@secret/session.txt");
    expect((await words(page))[0]).toBe("@src/session/");
    await picture(page, `${size}-files`);
    await prompt(page).press("ArrowDown");
    await prompt(page).press("ArrowUp");
    await prompt(page).press("Enter");
    expect(await prompt(page).inputValue()).toBe("look at @src/session/");
    await files.waitFor();
    await prompt(page).press("Escape");
    await files.waitFor({ state: "hidden" });
    await prompt(page).fill("");
    await prompt(page).pressSequentially("@rev");
    await files.getByText("@agent-reviewer").click();
    expect(await prompt(page).inputValue()).toBe("@agent-reviewer ");

    await prompt(page).fill("first");
    await prompt(page).press("Enter");
    await page.locator(".prompt-bubble", { hasText: "first" }).waitFor();
    await page.getByLabel("Session actions").click();
    const lowest = page.getByRole("combobox", { name: "Send with" });
    const { y = 0, height = 0 } = (await lowest.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(SIZES[size].viewport.height);
    await picture(page, `${size}-menu`);
    await lowest.selectOption("ctrl-enter");
    await prompt(page).fill("second");
    await prompt(page).press("Enter");
    expect(await prompt(page).inputValue()).toBe("second\n");
    await prompt(page).press("Control+Enter");
    await page.locator(".prompt-bubble", { hasText: "second" }).waitFor();
    await eventually(() => prompt(page).inputValue()).toBe("");
    await prompt(page).press("ArrowUp");
    expect(await prompt(page).inputValue()).toMatch(/^second/);
    await prompt(page).press("ArrowUp");
    expect(await prompt(page).inputValue()).toBe("first");
    await prompt(page).press("ArrowDown");
    await prompt(page).press("ArrowDown");
    expect(await prompt(page).inputValue()).toBe("");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES[size].viewport.width);
    await stage.leave(page);
  }, 240_000);
});

test("Enter sends the prompt right after another Enter has chosen a suggestion, even before the page is painted", async () => {
  const { page } = await stage.tab("talker");
  await prompt(page).pressSequentially("look at @pri");
  await page.getByRole("option", { name: "@src/price.ts" }).waitFor();
  await page.evaluate(`(async () => {
    const box = document.activeElement;
    const press = () => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    press();
    // The page is rendered again in a microtask, and painted later.
    while (!box.value.includes("@src/price.ts")) await Promise.resolve();
    press();
  })()`);
  await page.locator(".prompt-bubble", { hasText: "look at @src/price.ts" }).waitFor();
  await stage.leave(page);
}, 240_000);

test("PDFs and text files are sent with a prompt as documents, and named in the conversation", async () => {
  const { page, id } = await stage.tab("talker");
  await page.getByLabel("Attach files").setInputFiles([
    { name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") },
    { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Größe") },
  ]);
  await page.getByRole("button", { name: "Remove file 2" }).waitFor();
  await prompt(page).fill("read them");
  await prompt(page).press("Enter");
  await page.locator(".prompt-files", { hasText: "plan.pdf" }).getByText("notes.md").waitFor();
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  const { events } = await stage.client.sessions.listEvents({ sessionId: id });
  const sent = events.flatMap(({ body }) =>
    body.case === "userInput" ? JSON.parse(body.value.contentJson) : [],
  );
  expect(sent).toMatchObject([
    { type: "document", title: "plan.pdf", source: { type: "base64", media_type: "application/pdf" } },
    { type: "document", title: "notes.md", source: { type: "text", data: "# Größe" } },
    { type: "text", text: "read them" },
  ]);
  await stage.leave(page);
}, 240_000);
