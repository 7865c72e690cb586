import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf } from "./accessible.ts";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { eventually, Stage, say } from "./stage.ts";

const WORDS = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");

const stage = new Stage();
beforeAll(
  () =>
    stage.open({
      slow: {
        steps: [{ text: WORDS, chunkSize: 8, chunkDelay: 60 }],
        whenExhausted: { text: "Still here." },
      },
      talker: { steps: [], whenExhausted: { text: "Here I am." } },
      mortal: [{ hear: { type: "user" } }, { pause: 200 }, { kill: "SIGKILL" }],
    }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("after the agent crashes, the console says what happened, and Retry sends the prompt again", async () => {
    const { page, id } = await stage.tab("mortal", SIZES[size]);
    await say(page, "do something hard");
    const card = page.getByRole("region", { name: "The last turn failed" });
    await card.waitFor();
    expect(await card.textContent()).toContain("did not finish: the agent died");
    expect(await page.locator(".notice-row").first().textContent()).toContain("SIGKILL");
    expect(await page.locator(".byline").first().textContent()).toContain("not finished");
    expect(await page.locator(".prompt-bubble.cancelled").count()).toBe(0);
    await page.locator('[data-status="turn failed"]').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await picture(page, `${size}-crash`);
    await card.getByRole("button", { name: "Retry" }).click();
    await eventually(() => page.locator(".prompt-text").allTextContents()).toEqual([
      "do something hard",
      "do something hard",
    ]);
    await stage.client.sessions.deleteSession({ sessionId: id });
    await stage.leave(page);
  }, 240_000);
});

test("a session whose turn failed is listed before running and idle ones", async () => {
  const { page, id } = await stage.tab("mortal");
  await say(page, "do something hard");
  await page.getByRole("region", { name: "The last turn failed" }).waitFor();
  const { session: later } = await stage.client.sessions.createSession({
    agent: "talker",
    cwd: stage.project,
    prompt: "hello",
    title: "later",
  });
  await page.locator(`.session-row[href$="${later?.id}"]`).waitFor();
  await eventually(() => page.locator(".session-row").first().getAttribute("href")).toBe(`#/session/${id}`);
  expect(await page.locator(".session-row").first().textContent()).toContain("turn failed");
  await stage.client.sessions.deleteSession({ sessionId: id });
  await stage.leave(page);
}, 240_000);

test("after the daemon is killed, Continue continues the turn", async () => {
  const { page } = await stage.tab("slow");
  await say(page, "talk");
  await page.locator(".said.open", { hasText: "word9" }).waitFor();
  await stage.killDaemon("SIGKILL");
  await stage.startDaemon();
  const card = page.getByRole("region", { name: "The last turn failed" });
  await card.getByText("the daemon stopped").waitFor();
  await card.getByRole("button", { name: "Continue" }).click();
  await page.locator(".prompt-text", { hasText: "Continue from where you left off." }).waitFor();
  await card.waitFor({ state: "detached" });
  await page.locator(".said.open").waitFor();
  await page.getByRole("button", { name: "Interrupt" }).click();
  // A turn that the user interrupted is not shown as failed.
  await page.locator('[data-status="idle"]').waitFor();
  expect(await card.count()).toBe(0);
  await page.reload();
  await page.locator('[data-status="idle"]').waitFor();
  expect(await card.count()).toBe(0);
  await stage.leave(page);
}, 240_000);
