import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end(), 30_000);

test("web prints another link to the console each time", async () => {
  const started = await home.run(["daemon", "start", "--port=0"]);
  const printed = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{20,}/;
  expect(started.stdout).toMatch(printed);
  const [first, second] = [await home.run(["web"]), await home.run(["web", "--json"])];
  expect(first.stdout).toMatch(printed);
  const { url } = JSON.parse(second.stdout) as { url: string };
  expect(url).toMatch(printed);
  expect(url).not.toBe(first.stdout.trim());
}, 60_000);

test("web says what to do about a daemon that listens at no port", async () => {
  await home.run(["daemon", "start"]);
  const { code, stderr } = await home.run(["web"]);
  expect(code).toBe(1);
  expect(stderr).toContain("agentwire daemon stop, then agentwire web");
}, 60_000);
