import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "./pictures.ts";
import { SIZE_NAMES, SIZES } from "./sizes.ts";
import { Stage, say } from "./stage.ts";

const stage = new Stage();
beforeAll(() => stage.open({ talker: { steps: [], whenExhausted: { text: "Here I am." } } }), 240_000);
afterAll(() => stage.close(), 60_000);

describe.each(SIZE_NAMES)("on a %s screen", (size) => {
  test("a reload while the daemon is down shows the cached page, which continues once the daemon is back", async () => {
    const { page } = await stage.session("talker", SIZES[size]);
    await say(page, "hello");
    await page.locator(".said", { hasText: "Here I am." }).waitFor();
    await page.evaluate("navigator.serviceWorker.ready");
    await page.waitForFunction("caches.match('/').then(Boolean)");
    await stage.killDaemon("SIGTERM");
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "The daemon does not answer" }).waitFor();
    expect(await page.locator("main code").textContent()).toBe(
      `agentwire web --port ${new URL(stage.url).port}`,
    );
    await picture(page, `${size}-offline`);
    await stage.startDaemon();
    await page.locator(".said", { hasText: "Here I am." }).waitFor();
    await page.context().close();
  }, 240_000);
});

test("the service worker caches only the page, and nothing from sessions", async () => {
  const { page } = await stage.session("talker");
  await say(page, "hello");
  await page.locator(".said", { hasText: "Here I am." }).waitFor();
  await page.waitForFunction("caches.match('/').then(Boolean)");
  const kept = await page.evaluate(`caches.keys()
    .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
    .then((all) => all.flat().map(({ method, url }) => method + " " + new URL(url).pathname))`);
  for (const each of kept as string[]) expect(each).toMatch(/^GET \/(?:$|assets\/|icon[^/]*$)/);
  await page.context().close();
}, 240_000);
