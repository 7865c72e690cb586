import { afterAll, beforeAll, expect, test } from "vitest";
import { Stage, say } from "./stage.ts";

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
      toucher: {
        steps: [
          {
            content: [
              { type: "tool_use", id: "toolu_touch", name: "Bash", input: { command: "touch made.txt" } },
            ],
          },
          { text: "It is made." },
        ],
      },
    }),
  60_000,
);
afterAll(() => stage.close(), 30_000);

test("a link signs a browser in once, and leaves nothing of its token in the address", async () => {
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
  expect(await other.getByRole("alert").textContent()).toContain("used before");
  await page.context().close();
  await other.context().close();
}, 60_000);

test("what is sent is answered, and streams in as Markdown", async () => {
  const { page } = await stage.session("talker");
  await say(page, "go on");
  await page.locator(".said.open").waitFor();
  await page.locator(".said.done strong", { hasText: "bold" }).waitFor();
  expect(await page.locator(".said li").allTextContents()).toEqual(["one", "two"]);
  await page.locator(".turn-end", { hasText: "done" }).waitFor();
  expect(await page.locator(".prompt-bubble").count()).toBe(1);
  await page.context().close();
}, 60_000);

test("a permission question is answered with the mouse", async () => {
  const { page } = await stage.session("toucher");
  await say(page, "make it");
  const card = page.getByRole("region", { name: "May it use Bash?" });
  await card.waitFor();
  expect(await card.textContent()).toContain("touch made.txt");
  await card.getByRole("button", { name: "Allow once" }).click();
  await page.locator(".said", { hasText: "It is made." }).waitFor();
  expect(await card.count()).toBe(0);
  expect(await page.locator(".call .asked").textContent()).toMatch(/^Allowed by web-/);
  await page.context().close();
}, 60_000);
