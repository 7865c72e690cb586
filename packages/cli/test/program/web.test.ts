import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end(), 30_000);

const printed = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{20,}/;

test("start prints a link where output is no terminal only if asked to, for a log may be there", async () => {
  const started = await home.run(["daemon", "start", "--port=0"]);
  expect(started.stdout).toContain("agentwire web");
  const again = await home.run(["daemon", "start", "--json"]);
  expect(started.stdout + started.stderr + again.stdout).not.toContain("token=");
  expect(readFileSync(join(home.state, "daemon.log"), "utf8")).not.toContain("token=");
  const { stdout } = await home.run(["audit", "--kind", "login"]);
  expect(stdout).not.toContain("link made");
  expect((await home.run(["daemon", "start", "--link"])).stdout).toMatch(printed);
  expect((await home.run(["audit", "--kind", "login"])).stdout).toMatch(/link made/);
}, 60_000);

test("web prints another link to the console each time", async () => {
  await home.run(["daemon", "start", "--port=0"]);
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
