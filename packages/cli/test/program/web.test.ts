import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeAuthority, makeCertificate } from "../../../daemon/test/security/certificates.ts";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end(), 30_000);

const printed = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{20,}/;

test("daemon start prints a link to a non-terminal only on request, since the output may be a log", async () => {
  const started = await home.run(["daemon", "start", "--port=0"]);
  expect(started.stdout).toContain("agentwire web");
  const again = await home.run(["daemon", "start", "--json"]);
  expect(started.stdout + started.stderr + again.stdout).not.toContain("token=");
  expect(readFileSync(join(home.state, "daemon.log"), "utf8")).not.toContain("token=");
  const { stdout } = await home.run(["audit", "--kind", "login"]);
  expect(stdout).not.toContain("link made");
  expect((await home.run(["daemon", "start", "--link"])).stdout).toMatch(printed);
  // The entry is written asynchronously: a full disk must not keep anybody from signing in.
  await vi.waitFor(
    async () => expect((await home.run(["audit", "--kind", "login"])).stdout).toMatch(/link made/),
    { timeout: 10_000, interval: 200 },
  );
}, 60_000);

test("web prints a new link to the console each time", async () => {
  await home.run(["daemon", "start", "--port=0"]);
  const [first, second] = [await home.run(["web"]), await home.run(["web", "--json"])];
  expect(first.stdout).toMatch(printed);
  const { url } = JSON.parse(second.stdout) as { url: string };
  expect(url).toMatch(printed);
  expect(url).not.toBe(first.stdout.trim());
}, 60_000);

test("web opens a port if the daemon has none, and later links use it", async () => {
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

test("web --port opens that port once, and reports if another program uses it", async () => {
  await home.run(["daemon", "start", "--port=0"]);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const refused = await home.run(["web", `--port=${port}`]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`is listening on port ${port}`) });
  expect(refused.stderr).toContain("--port N");
  other.close();
  await once(other, "close");
  for (const _ of ["opened", "already open"]) {
    const { stdout } = await home.run(["web", `--port=${port}`]);
    expect(new URL(stdout).port).toBe(String(port));
  }
  expect(await home.run(["web", "--port=70000"])).toMatchObject({ code: 2 });
}, 60_000);

test("web --open passes the link to the browser, and reports if there is none", async () => {
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

test("web prints a link that the daemon answers, even if it listens on all addresses", async () => {
  const authority = makeAuthority(home.folder, "authority");
  const names = "DNS:box.example,DNS:*.boxes.example,IP:127.0.0.1,IP:10.1.2.3";
  const tls = makeCertificate(home.folder, "box", authority, names);
  const specific = makeCertificate(home.folder, "other", authority, "DNS:localhost");
  mkdirSync(home.state, { mode: 0o700 });
  const listen = [
    { host: "0.0.0.0", port: 0, tls },
    { host: "127.0.0.1", port: 0, tls: specific },
    { host: "127.0.0.2", port: 0 },
  ];
  writeFileSync(join(home.state, "settings.json"), JSON.stringify({ daemon: { listen } }));
  await home.run(["daemon", "start"]);
  const { stdout, stderr } = await home.run(["web"]);
  expect(stdout).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+\n$/);
  const { port, hash } = new URL(stdout);
  expect(stderr).toBe(
    `From another machine, use the link with the name that it knows this one by:\n  https://box.example:${port}/${hash}\n  https://10.1.2.3:${port}/${hash}\n`,
  );
  const ca = readFileSync(authority.cert);
  expect(await statusOf(stdout, ca)).toBe(200);
  const { addresses } = JSON.parse((await home.run(["daemon", "start", "--json"])).stdout);
  const other = new URL(addresses[2]).port;
  const second = await home.run(["web", "--json", `--port=${other}`]);
  const { url, otherUrls } = JSON.parse(second.stdout);
  expect([new URL(url).host, otherUrls]).toEqual([`localhost:${other}`, []]);
  expect(await statusOf(url, ca)).toBe(200);
  const third = await home.run(["web", `--port=${new URL(addresses[3]).port}`]);
  expect(third.stdout).toMatch(/^http:\/\/127\.0\.0\.2:/);
  expect((await fetch(third.stdout)).status).toBe(200);
}, 60_000);

/** The status that a browser receives from a URL. */
async function statusOf(url: string, ca: Buffer): Promise<number | undefined> {
  const [response] = (await once(get(url, { ca, agent: false }), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
