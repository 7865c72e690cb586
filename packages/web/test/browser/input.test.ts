import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, Stage, say } from "./stage.ts";

const stage = new Stage();
let unanswered: Awaited<ReturnType<typeof twoTabs>>;
beforeAll(async () => {
  await stage.open({ talker: { steps: [{ text: "Heard." }] } });
  // Its deadline passes while the other tests run.
  unanswered = await twoTabs();
  await ask(unanswered.guest);
  await request(unanswered.holder).waitFor();
  // A hidden tab keeps its stream while it waits for the input.
  await unanswered.guest.evaluate(HIDE);
}, 240_000);
afterAll(() => stage.close(), 60_000);

/** Script that makes a page appear hidden. */
const HIDE = `
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
`;

/** Opens a session in two tabs of one browser; the first takes the input. */
async function twoTabs(): Promise<{ holder: Page; guest: Page; id: string }> {
  const { page: holder, id } = await stage.tab("talker");
  const guest = await stage.view({ sessionId: id });
  await holder.getByLabel("Session actions").click();
  await holder.getByRole("button", { name: "Take the input" }).click();
  await told(holder, "Only you may send now.");
  await told(guest, /^Only web-[\w-]+ may send now: they took it\.$/);
  return { holder, guest, id };
}

const bar = (page: Page) => page.locator(".input-bar");
const told = (page: Page, words: string | RegExp) => bar(page).getByRole("status").getByText(words).waitFor();
const request = (page: Page) => page.getByRole("region", { name: /^web-[\w-]+ asks for the input$/ });
const ask = (page: Page) => page.getByRole("button", { name: "Ask for the input" }).click();
const holderOf = async (id: string) =>
  (await stage.client.sessions.getSession({ sessionId: id })).session?.inputHolder;

/** Presses a key outside any field until the request is answered; keys are ignored right after it appears. */
async function answer(page: Page, key: string): Promise<void> {
  await page.getByRole("region", { name: "History" }).focus();
  await eventually(async () => {
    if ((await request(page).count()) === 0) return true;
    await page.keyboard.press(key);
    return false;
  }, 700).toBe(true);
}

test("a client can ask for the input, and gets it when the holder hands it over", async () => {
  const { holder, guest, id } = await twoTabs();
  const before = await holderOf(id);
  await say(guest, "let me");
  await told(
    guest,
    new RegExp(`^${before} was asked for the input\\. If they don't answer, you get it at \\d`),
  );
  const send = guest.getByRole("button", { name: "Send", exact: true });
  expect(await send.isDisabled()).toBe(true);
  await request(holder).getByText("Unless you answer, they get it at").waitFor();
  await answer(holder, "h");
  await told(guest, "Only you may send now: the holder handed it over.");
  expect(await holderOf(id)).not.toBe(before);
  await told(holder, /^Only web-[\w-]+ may send now: the holder handed it over\.$/);
  // The prompt written in the meantime is still there and was not sent automatically.
  expect(await guest.locator(".said").count()).toBe(0);
  await guest.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await holder.locator(".said", { hasText: "Heard." }).waitFor();
  await stage.leave(guest);
  await stage.leave(holder);
}, 240_000);

test("a refused client is told, and can take the input only with a second click", async () => {
  const { holder, guest, id } = await twoTabs();
  const before = await holderOf(id);
  expect(await bar(guest).getByText("Take it anyway…").count()).toBe(0);
  await ask(guest);
  await request(holder).getByRole("button", { name: "Refuse" }).click();
  await told(guest, `${before} keeps the input.`);
  await guest.getByText(/keeps the input that web-[\w-]+ asked for: it was refused/).waitFor();
  await request(holder).waitFor({ state: "detached" });
  await guest.getByRole("button", { name: "Ask again" }).click();
  await request(holder).waitFor();
  await answer(holder, "r");
  await told(guest, `${before} keeps the input.`);
  expect(await holderOf(id)).toBe(before);
  const take = guest.getByRole("button", { name: `Take it from ${before}` });
  expect(await take.isVisible()).toBe(false);
  await guest.getByText("Take it anyway…").click();
  await take.click();
  await told(guest, "Only you may send now.");
  await told(holder, /^Only web-[\w-]+ may send now: they took it\.$/);
  await stage.leave(guest);
  await stage.leave(holder);
}, 240_000);

test("a request is withdrawn when its client leaves, and the holder can release the input to everyone", async () => {
  const { holder, guest, id } = await twoTabs();
  await ask(guest);
  await request(holder).waitFor();
  await guest.close();
  await request(holder).waitFor({ state: "detached" });
  await holder.getByText(/keeps the input that web-[\w-]+ asked for: they left/).waitFor();
  await holder.getByRole("button", { name: "Let everyone send" }).click();
  await eventually(() => holderOf(id)).toBe("");
  await bar(holder).waitFor({ state: "detached" });
  await stage.leave(holder);
}, 240_000);

test("a holder that does not answer in time loses the input, and both clients are told", async () => {
  const { holder, guest } = unanswered;
  await told(guest, "Only you may send now: the holder did not answer in time.");
  await told(holder, /^Only web-[\w-]+ may send now: the holder did not answer in time\.$/);
  expect(await request(holder).count()).toBe(0);
  await stage.leave(guest);
  await stage.leave(holder);
}, 240_000);
