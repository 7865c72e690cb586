import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";
import { use } from "./tool-use.ts";

const LONG = Array.from(
  { length: 80 },
  (_, line) => `line ${line} of a long file, with some words in it`,
).join("\n");
const OPTIONS = Array.from({ length: 4 }, (_, index) => ({
  label: `Way ${index}`,
  description: "It takes a while to explain, and this is where that is done in a sentence or two.",
}));

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      talker: { steps: [], whenExhausted: { text: "Here I am." } },
      writer: {
        steps: [{ content: [use("toolu_w", "Write", { file_path: "{{cwd}}/long.txt", content: LONG })] }],
      },
      asker: {
        steps: [
          {
            content: [
              use("toolu_q", "AskUserQuestion", {
                questions: ["First", "Second", "Third"].map((header) => ({
                  header,
                  question: `${header}: which way?`,
                  multiSelect: false,
                  options: OPTIONS,
                })),
              }),
            ],
          },
        ],
      },
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it has no place on the page");
  return box;
};

/** Whether an element is entirely on the screen, with nothing covering its center. */
async function isInSight(page: Page, locator: Locator): Promise<boolean> {
  const { x, y, width, height } = await boxOf(locator);
  const screen = page.viewportSize() ?? { width: 0, height: 0 };
  if (x < 0 || y < 0 || x + width > screen.width || y + height > screen.height) return false;
  return locator.evaluate(
    (element, [left, top]) => {
      const at = element.ownerDocument.elementFromPoint(left ?? 0, top ?? 0);
      return at !== null && element.contains(at);
    },
    [x + width / 2, y + height / 2],
  );
}

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt" });

test("an unsent prompt survives opening another session and reloading the page, until it is sent", async () => {
  const { page, id } = await stage.tab("talker");
  const { session: other } = await stage.client.sessions.createSession({
    agent: "talker",
    cwd: stage.project,
    title: "the other",
  });
  await prompt(page).fill("a thought that is\nnot finished");
  await page.goto(`${stage.url}/#/session/${other?.id}`);
  await page.getByRole("heading", { name: "the other" }).waitFor();
  expect(await prompt(page).inputValue()).toBe("");
  await prompt(page).fill("another");
  await stage.show(page, id);
  await page.getByRole("heading", { name: "talker" }).waitFor();
  expect(await prompt(page).inputValue()).toBe("a thought that is\nnot finished");
  await page.reload();
  await prompt(page).waitFor();
  expect(await prompt(page).inputValue()).toBe("a thought that is\nnot finished");
  await prompt(page).press("Enter");
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  await page.reload();
  await prompt(page).waitFor();
  expect(await prompt(page).inputValue()).toBe("");
  await stage.leave(page);
}, 240_000);

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("the prompt field grows with its text, up to a fraction of the screen", async () => {
    const { page } = await stage.tab("talker", SIZES[size]);
    const heightOf = async () => (await boxOf(prompt(page))).height;
    const empty = await heightOf();
    // A line that is too long for the field wraps.
    await prompt(page).fill("words ".repeat(120));
    expect(await heightOf()).toBeGreaterThan(empty * 1.5);
    await prompt(page).fill("line\n".repeat(100));
    expect(await heightOf()).toBeLessThan(SIZES[size].viewport.height * 0.35);
    expect(await isInSight(page, page.getByRole("button", { name: "Send" }))).toBe(true);
    await prompt(page).fill("");
    expect(await heightOf()).toBe(empty);
    await stage.leave(page);
  }, 240_000);

  test("error toasts do not cover the buttons", async () => {
    const { page } = await stage.tab("talker", SIZES[size]);
    await prompt(page).fill("something");
    const picker = page.getByLabel("Attach files");
    for (const name of ["a.bin", "b.bin", "c.bin"])
      await picker.setInputFiles({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from([0, 255]),
      });
    await eventually(() => page.locator(".toast.error").count()).toBe(3);
    expect(await isInSight(page, page.getByRole("button", { name: "Send" }))).toBe(true);
    expect(await isInSight(page, page.getByLabel("Session actions"))).toBe(true);
    await picture(page, `${size}-toasts`);
    await stage.leave(page);
  }, 240_000);

  test.each([
    ["writer", "Allow once"],
    ["asker", "Answer"],
  ])(
    "a long question of the %s keeps the prompt, Interrupt and its answers visible",
    async (agent, answer) => {
      const { page, id } = await stage.tab(agent, SIZES[size]);
      await say(page, "go");
      await page.getByRole("button", { name: answer }).waitFor();
      for (const name of [answer, "Interrupt", "Send"])
        expect([name, await isInSight(page, page.getByRole("button", { name }))]).toEqual([name, true]);
      expect(await isInSight(page, prompt(page))).toBe(true);
      await picture(page, `${size}-${agent}-asks`);
      await stage.client.sessions.deleteSession({ sessionId: id });
      await stage.leave(page);
    },
    240_000,
  );

  test("the prompt field is aligned with the conversation", async () => {
    const { page } = await stage.tab("talker", SIZES[size]);
    await say(page, "hello");
    await page.locator(".said", { hasText: "Here I am." }).waitFor();
    const [column, composer] = [
      await boxOf(page.locator(".items").first()),
      await boxOf(page.locator(".composer")),
    ];
    expect(Math.abs(composer.x - column.x)).toBeLessThanOrEqual(8);
    expect(Math.abs(composer.x + composer.width - column.x - column.width)).toBeLessThanOrEqual(8);
    await stage.leave(page);
  }, 240_000);
});

test("on a phone every touch target is at least 44 pixels high and wide", async () => {
  const { page } = await stage.tab("writer", SIZES.phone);
  await say(page, "go");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  const small = () =>
    page.evaluate(`[...document.querySelectorAll("button, .button, select, summary, .back, .places a")]
      .filter((each) => each.checkVisibility({ opacityProperty: true }) && !each.closest(".hidden, .skip"))
      .map((each) => [each.textContent.trim() || each.ariaLabel, each.getBoundingClientRect()])
      .filter(([, box]) => box.width > 1 && (box.width < 44 || box.height < 44))
      .map(([name, box]) => name + " " + Math.round(box.width) + "×" + Math.round(box.height))`);
  expect(await small()).toEqual([]);
  await page.getByRole("link", { name: "All sessions" }).tap();
  await page.locator(".session-row").first().waitFor();
  expect(await small()).toEqual([]);
  await stage.leave(page);
}, 240_000);
