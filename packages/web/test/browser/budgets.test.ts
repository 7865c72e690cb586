import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillSessions, fillStore } from "./fill-store.ts";
import { eventually, Stage } from "./stage.ts";

/** Where `npm run bench` wants the figures; without it, the tests use less data. */
const REPORT = process.env.AGENTWIRE_BUDGETS;
const SESSIONS = REPORT ? 10_000 : 200;
const EVENTS = REPORT ? 100_000 : 2000;
const FRAMES = REPORT ? 240 : 20;
const KEYS = REPORT ? 60 : 5;

const figures: Record<string, readonly number[]> = {};
const stage = new Stage();
let id = "";
beforeAll(async () => {
  await stage.open({ silent: { steps: [] } });
  const { session } = await stage.client.sessions.createSession({ cwd: stage.project, title: "a long one" });
  id = session?.id ?? "";
  await stage.killDaemon("SIGTERM");
  await fillStore(stage.store, id, EVENTS);
  await fillSessions(stage.store, id, SESSIONS);
  await stage.startDaemon();
}, 240_000);
afterAll(async () => {
  if (REPORT) writeFileSync(REPORT, JSON.stringify(figures));
  await stage.close();
}, 60_000);

/** The time from running a script until a condition holds in a frame, measured in the page. */
const timed = (page: Page, act: string, isThere: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const start = performance.now();
    ${act};
    const look = () => (${isThere}) ? resolve(performance.now() - start) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  })`);

test("a long list of sessions opens with its first page, and Show more adds the next", async () => {
  const page = await stage.view();
  const rows = page.locator(".session-row");
  const times: number[] = [];
  for (let round = 0; round < (REPORT ? 5 : 1); round++) {
    await page.goto("about:blank");
    const start = performance.now();
    await page.goto(stage.url);
    await rows.first().waitFor();
    times.push(performance.now() - start);
  }
  figures.listMs = times;
  expect(await rows.count()).toBe(60);
  await page.getByRole("button", { name: "Show more" }).click();
  await eventually(() => rows.count()).toBe(120);
  await stage.leave(page);
}, 240_000);

test("a long session opens at its end, scrolls, and accepts typing", async () => {
  const page = await stage.view();
  const isAtEnd = `document.querySelector(".history")?.textContent.includes("This is reply ${EVENTS}")`;
  const opened: number[] = [];
  for (let round = 0; round < (REPORT ? 5 : 1); round++) {
    await page.goto(`${stage.url}/#/`);
    await page.locator(".home").waitFor();
    opened.push(await timed(page, `location.hash = "#/session/${id}"`, isAtEnd));
  }
  figures.openMs = opened;

  const frames = (await page.evaluate(`new Promise((resolve) => {
    const history = document.querySelector(".history");
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      history.scrollBy(0, -40);
      if (times.length > ${FRAMES}) resolve(times.slice(1));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as number[];
  expect(frames).toHaveLength(FRAMES);
  figures.frameMs = frames;

  const box = page.getByRole("textbox", { name: "Prompt" });
  await box.focus();
  await page.evaluate(`{
    window.painted = [];
    document.querySelector(".composer textarea").addEventListener("keydown", ({ timeStamp }) => {
      // A timeout set in an animation frame runs once that frame has been submitted for display.
      requestAnimationFrame(() => setTimeout(() => window.painted.push(performance.now() - timeStamp)));
    });
  }`);
  const text = "the quick brown fox jumps over the lazy dog, twice or so, all day".slice(0, KEYS);
  await page.keyboard.type(text, { delay: 20 });
  await eventually(() => page.evaluate("window.painted.length")).toBe(text.length);
  expect(await box.inputValue()).toBe(text);
  figures.keyMs = (await page.evaluate("window.painted")) as number[];
  await stage.leave(page);
}, 240_000);
