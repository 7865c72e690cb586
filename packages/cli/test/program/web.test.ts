import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end(), 30_000);

const printed = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{20,}/;

test("start prints a link to a non-terminal only on request, since the output may be a log", async () => {
  const started = await home.run(["daemon", "start", "--port=0"]);
  expect(started.stdout).toContain("agentwire web");
  const again = await home.run(["daemon", "start", "--json"]);
  expect(started.stdout + started.stderr + again.stdout).not.toContain("token=");
  expect(readFileSync(join(home.state, "daemon.log"), "utf8")).not.toContain("token=");
  const { stdout } = await home.run(["audit", "--kind", "login"]);
  expect(stdout).not.toContain("link made");
  expect((await home.run(["daemon", "start", "--link"])).stdout).toMatch(printed);
  // The entry is written beside the answer: a full disk must not keep anybody from signing in.
  await vi.waitFor(
    async () => expect((await home.run(["audit", "--kind", "login"])).stdout).toMatch(/link made/),
    { timeout: 10_000, interval: 200 },
  );
}, 60_000);

test("web prints another link to the console each time", async () => {
  await home.run(["daemon", "start", "--port=0"]);
  const [first, second] = [await home.run(["web"]), await home.run(["web", "--json"])];
  expect(first.stdout).toMatch(printed);
  const { url } = JSON.parse(second.stdout) as { url: string };
  expect(url).toMatch(printed);
  expect(url).not.toBe(first.stdout.trim());
}, 60_000);

test("web opens a port of a daemon that listens at none, and every later link leads there", async () => {
  await home.run(["run", "hello"]);
  const { code, stdout } = await home.run(["web"]);
  expect(code).toBe(0);
  const { origin } = new URL(stdout);
  const page = await fetch(origin);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining("<title>agentwire</title>"),
  ]);
  expect(new URL((await home.run(["web"])).stdout).origin).toBe(origin);
  const { stdout: running } = await home.run(["daemon", "start", "--json"]);
  expect((JSON.parse(running) as { addresses: string[] }).addresses).toContain(origin);
}, 60_000);

test("web --port opens that port too, once, and says when others use it", async () => {
  await home.run(["daemon", "start", "--port=0"]);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const refused = await home.run(["web", `--port=${port}`]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`listens at the port ${port}`) });
  expect(refused.stderr).toContain("--port N");
  other.close();
  await once(other, "close");
  for (const _ of ["opened", "already open"]) {
    const { stdout } = await home.run(["web", `--port=${port}`]);
    expect(new URL(stdout).port).toBe(String(port));
  }
  expect(await home.run(["web", "--port=70000"])).toMatchObject({ code: 2 });
}, 60_000);

test("web --open gives the link to the user's browser, and says so where there is none", async () => {
  await home.run(["daemon", "start", "--port=0"]);
  const programs = join(home.folder, "programs");
  mkdirSync(programs);
  const seen = join(home.folder, "seen");
  writeFileSync(
    join(programs, "xdg-open"),
    `#!/bin/sh\nprintf %s "$1" > "${seen}.part"\nmv "${seen}.part" "${seen}"\n`,
    {
      mode: 0o755,
    },
  );
  const { stdout } = await home.run(["web", "--open"], "", { PATH: `${programs}:${process.env.PATH}` });
  await expect.poll(() => existsSync(seen), { timeout: 20_000 }).toBe(true);
  expect(readFileSync(seen, "utf8")).toBe(stdout.trim());
  const alone = await home.run(["web", "--open"], "", { PATH: join(home.folder, "nothing") });
  expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(printed) });
  expect(alone.stderr).toContain("open the link in a browser yourself");
}, 60_000);
