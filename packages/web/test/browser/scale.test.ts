import { afterAll, beforeAll, expect, test } from "vitest";
import { fillStore } from "./fill-store.ts";
import { eventually, Stage } from "./stage.ts";

const EVENTS = 100_000;
/** Far fewer than the events: only rows near the visible area are on the page. */
const MOST_ROWS = 900;

const stage = new Stage();
let id = "";
beforeAll(async () => {
  await stage.open({ silent: { steps: [] } });
  const { session } = await stage.client.sessions.createSession({ cwd: stage.project, title: "a long one" });
  id = session?.id ?? "";
  await stage.killDaemon("SIGTERM");
  await fillStore(stage.store, id, EVENTS);
  await stage.startDaemon();
}, 120_000);
afterAll(() => stage.close(), 60_000);

test("a history of 100,000 events can be scrolled, jumped through, and returned to its end", async () => {
  const page = await stage.view({ sessionId: id });
  const rows = page.locator(".history > ol > li");
  const history = page.getByRole("region", { name: "History" });
  const firstSeq = async () => Number(await rows.first().getAttribute("data-seq"));
  const lastSeq = async () => Number(await rows.last().getAttribute("data-seq"));
  await eventually(lastSeq).toBe(EVENTS);

  for (let round = 0; round < 8; round++) {
    const before = await firstSeq();
    await history.evaluate((frame) => frame.scrollTo(0, 0));
    await eventually(firstSeq).toBeLessThan(before);
    expect(await rows.count()).toBeLessThan(MOST_ROWS);
  }
  expect(await lastSeq()).toBeLessThan(EVENTS);

  const rail = page.getByRole("slider", { name: "Position in the history" });
  await rail.fill("50000");
  await eventually(firstSeq).toBeGreaterThan(49_000);
  await eventually(firstSeq).toBeLessThan(50_001);
  await page.getByText("This is reply 50000", { exact: false }).waitFor();
  expect(await rows.count()).toBeLessThan(MOST_ROWS);

  for (let round = 0; round < 4; round++) {
    const before = await lastSeq();
    await history.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    await eventually(lastSeq).toBeGreaterThan(before);
  }
  await page.getByRole("button", { name: "Latest" }).click();
  await eventually(lastSeq).toBe(EVENTS);
  await page.getByText(`This is reply ${EVENTS}`, { exact: false }).waitFor();
  await stage.leave(page);
}, 240_000);

test("visible items stay in place while earlier ones are loaded", async () => {
  const page = await stage.view({ sessionId: id });
  const history = page.getByRole("region", { name: "History" });
  const rows = page.locator(".history > ol > li");
  await rows.first().waitFor();
  const first = await rows.first().getAttribute("data-seq");
  const read = page.locator(`[data-seq="${first}"]`);
  await history.evaluate((frame) => frame.scrollTo(0, 30));
  await eventually(() => rows.first().getAttribute("data-seq")).not.toBe(first);
  const box = await read.boundingBox();
  const frame = await history.boundingBox();
  expect(Math.abs((box?.y ?? 0) - (frame?.y ?? 0))).toBeLessThan(80);
  await stage.leave(page);
}, 240_000);
