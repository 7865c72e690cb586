import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      talker: {
        steps: [
          { text: "Some **bold** words, `code`, and a list:\n\n- one\n- two", chunkSize: 6, chunkDelay: 100 },
        ],
        whenExhausted: { text: "There is nothing else to say." },
      },
      editor: {
        steps: [
          { content: [use("toolu_read", "Read", { file_path: "{{cwd}}/notes.txt" })] },
          {
            content: [
              use("toolu_edit", "Edit", {
                file_path: "{{cwd}}/notes.txt",
                old_string: "second",
                new_string: "another second\nand third",
              }),
            ],
          },
          { text: "Changed." },
        ],
      },
      asker: {
        steps: [
          {
            content: [
              use("toolu_ask", "AskUserQuestion", {
                questions: [
                  {
                    question: "Which drink?",
                    header: "Drink",
                    multiSelect: false,
                    options: [
                      { label: "Tea", description: "Green" },
                      { label: "Coffee", description: "Black" },
                    ],
                  },
                  {
                    question: "What goes with it?",
                    header: "Extras",
                    multiSelect: true,
                    options: [
                      { label: "Milk", description: "" },
                      { label: "Sugar", description: "" },
                      { label: "Lemon", description: "" },
                    ],
                  },
                ],
              }),
            ],
          },
          { text: "As you like." },
        ],
      },
      toucher: {
        steps: [
          {
            content: [use("toolu_touch", "Bash", { command: "touch made.txt" })],
          },
          { text: "It is made." },
        ],
      },
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

test("a link signs in one browser, once, and its token is removed from the address", async () => {
  const page = await stage.stranger();
  await page.goto(stage.link);
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  expect(page.url()).toBe(`${stage.url}/`);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(stage.link).not.toContain(cookie?.value ?? "");
  const other = await stage.stranger();
  await other.goto(stage.link);
  await other.getByRole("alert").waitFor();
  expect(await other.getByRole("alert").textContent()).toContain("already used");
  await page.context().close();
  await other.context().close();
}, 240_000);

test("the reply to a prompt streams in as Markdown", async () => {
  const { page } = await stage.tab("talker");
  await say(page, "go on");
  await page.locator(".said.open").waitFor();
  await page.locator(".said.done strong", { hasText: "bold" }).waitFor();
  expect(await page.locator(".said li").allTextContents()).toEqual(["one", "two"]);
  await page.locator(".turn-end", { hasText: "done" }).waitFor();
  expect(await page.locator(".prompt-bubble").count()).toBe(1);
  await stage.leave(page);
}, 240_000);

test("a permission question can be answered with the mouse", async () => {
  const { page } = await stage.tab("toucher");
  await say(page, "make it");
  const card = page.getByRole("region", { name: "Allow Bash?" });
  await card.waitFor();
  expect(await card.textContent()).toContain("touch made.txt");
  await card.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "It is made." }).waitFor();
  expect(await card.count()).toBe(0);
  expect(await page.locator(".call .asked").textContent()).toBe("Allowed by you");
  await stage.leave(page);
}, 240_000);

test("a permission question can be answered with the keyboard, allowing an edited rule", async () => {
  const { page } = await stage.tab("toucher");
  await say(page, "make it");
  const card = page.getByRole("region", { name: "Allow Bash?" });
  await card.waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).press("Shift+Tab");
  const rule = page.getByRole("textbox", { name: "Allow until the session ends" });
  await eventually(async () => {
    if ((await rule.count()) === 0) await page.keyboard.press("s");
    return rule.count();
  }).toBe(1);
  await rule.fill("Bash(touch:*)");
  await page.keyboard.press("Enter");
  await page.locator(".said", { hasText: "It is made." }).waitFor();
  expect(await page.locator(".call .asked").textContent()).toContain("rule Bash(touch:*)");
  await page.locator(".composer textarea:focus").waitFor();
  await stage.leave(page);
}, 240_000);

test("a permission question can be denied with a reason", async () => {
  const { page } = await stage.tab("toucher");
  await say(page, "make it");
  await page.getByRole("button", { name: "Deny because…" }).click();
  await page.getByRole("textbox", { name: "Tell the agent why" }).fill("not on a Sunday");
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.locator(".call.failed .output", { hasText: "not on a Sunday" }).waitFor();
  await stage.leave(page);
}, 240_000);

test("a call can be allowed with edited input", async () => {
  const { page } = await stage.tab("toucher");
  await say(page, "make it");
  await page.getByRole("button", { name: "Edit…" }).click();
  const input = page.getByRole("textbox", { name: "Input to run instead" });
  await input.fill((await input.inputValue()).replace("made.txt", "other.txt"));
  await page.getByRole("button", { name: "Allow this" }).click();
  await page.locator(".said", { hasText: "It is made." }).waitFor();
  expect(existsSync(join(stage.project, "other.txt"))).toBe(true);
  await stage.leave(page);
}, 240_000);

test("an edit shows its diff before it is allowed, and line numbers afterwards", async () => {
  writeFileSync(join(stage.project, "notes.txt"), "first\nsecond\nlast\n");
  const { page } = await stage.tab("editor");
  await say(page, "change it");
  const card = page.getByRole("region", { name: "Allow Edit?" });
  await card.waitFor();
  expect(await card.locator(".removed .line").allTextContents()).toEqual(["second"]);
  expect(await card.locator(".added .line").allTextContents()).toEqual(["another second", "and third"]);
  await card.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "Changed." }).waitFor();
  const made = page.locator('.call[data-tool="Edit"]');
  expect(await made.locator(".counts").textContent()).toBe("+2 −1");
  expect(await made.locator(".added .line-number").allTextContents()).toEqual(["2", "3"]);
  await stage.leave(page);
}, 240_000);

test("the agent's questions can be answered with one option, several options, or free text", async () => {
  const { page } = await stage.tab("asker");
  await say(page, "ask me");
  const form = page.getByRole("form", { name: "The agent asks" });
  await form.waitFor();
  expect(await form.getByRole("button", { name: "Answer" }).isDisabled()).toBe(true);
  await form.getByRole("radio", { name: "Coffee" }).focus();
  await page.keyboard.press("Space");
  await form.getByRole("checkbox", { name: "Sugar" }).check();
  await form.getByRole("checkbox", { name: "Milk" }).check();
  await form.getByRole("textbox", { name: "Your own answer" }).last().fill("a biscuit");
  await form.getByRole("button", { name: "Answer" }).click();
  await page.locator(".said", { hasText: "As you like." }).waitFor();
  const { questions } = await stage.client.questions.listQuestions({ includeDecided: true });
  expect(questions.at(-1)?.toolName).toBe("AskUserQuestion");
  expect(await page.locator(".call .asked").textContent()).toContain("Coffee; Milk, Sugar, a biscuit");
  await stage.leave(page);
}, 240_000);
