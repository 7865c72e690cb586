import { writeFileSync } from "node:fs";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Stage, say } from "./stage.ts";

/** Where `npm run bench` wants the figures. */
const REPORT = process.env.AGENTWIRE_MEASURES;
/** The limit for the first load; other views are loaded on demand. */
const MOST_BYTES = 80_000;
const PIECES = 60;

const stage = new Stage();
beforeAll(
  () =>
    stage.open({ steady: { steps: [{ text: "0123456789".repeat(PIECES), chunkSize: 10, chunkDelay: 30 }] } }),
  240_000,
);
afterAll(() => stage.close(), 60_000);

test("the first load is at most 80 KB of compressed script", async () => {
  const page = await stage.stranger();
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    expect(response.headers()["content-encoding"]).toBe("gzip");
    scripts.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(stage.url);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const sizes = await Promise.all(scripts);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_BYTES);
  await page.context().close();
}, 240_000);

/** Script that records when each length of the reply was first visible. */
const WATCH_TEXT = `
  window.seen = [];
  new MutationObserver(() => {
    const length = document.querySelector(".said")?.textContent.length ?? 0;
    requestAnimationFrame(() => window.seen.push([length, Date.now()]));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

test("deltas appear on the screen as the daemon publishes them", async () => {
  const { page, id } = await stage.session("steady");
  await page.evaluate(WATCH_TEXT);
  const published: { readonly length: number; readonly ms: number }[] = [];
  const watching = (async () => {
    let length = 0;
    for await (const { events } of stage.client.sessions.watch({ sessionId: id }))
      for (const { body, time } of events) {
        if (body.case === "turnComplete") return;
        if (body.case !== "textDelta" || !time) continue;
        length += body.value.text.length;
        published.push({ length, ms: timestampMs(time) });
      }
  })();
  await say(page, "go");
  await watching;
  await page.locator(".turn-end").waitFor();
  const seen = (await page.evaluate("window.seen")) as [number, number][];
  const delays = published
    .flatMap(({ length, ms }) => {
      const shown = seen.find(([shownLength]) => shownLength >= length);
      return shown ? [shown[1] - ms] : [];
    })
    .sort((a, b) => a - b);
  // The delays are meaningful only in the benchmark, not while other tests run.
  if (REPORT) writeFileSync(REPORT, JSON.stringify({ delaysMs: delays }));
  expect(delays.length).toBeGreaterThan(PIECES / 2);
  await page.context().close();
}, 240_000);
