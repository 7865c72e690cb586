import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/daemon.ts";

let folder: string;
let running: RunningDaemon;
let url: URL;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-sign-in-"));
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
  running = await startDaemon({ ...defaultConfig(env, folder), port: 0 }, silentLog);
  url = new URL(running.addresses[1] ?? "");
}, 30_000);
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Asks as a browser might, with any header, Host and Origin among them. */
function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: url.hostname, port: url.port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

const tokenOfLink = () => new URL(running.daemon.consoleLink() ?? "").hash.replace("#token=", "");
const signIn = (token: string, headers = {}) =>
  ask("POST", "/sign-in", { authorization: `Bearer ${token}`, origin: url.origin, ...headers });
const version = (headers: Readonly<Record<string, string>>) =>
  ask(
    "POST",
    "/agentwire.v1.HealthService/GetVersion",
    { "content-type": "application/json", ...headers },
    "{}",
  );

async function cookie(): Promise<string> {
  const { headers } = await signIn(tokenOfLink());
  const [first = ""] = headers["set-cookie"] ?? [];
  return first.split(";")[0] ?? "";
}

describe("a link", () => {
  test("is changed for a cookie that no script and no other site gets, once", async () => {
    const token = tokenOfLink();
    const { status, headers } = await signIn(token);
    expect(status).toBe(204);
    const set = String(headers["set-cookie"]);
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
    expect(set).not.toContain(running.token);
    expect((await signIn(token)).status).toBe(401);
  });

  test("holds nothing that lasts: neither the daemon's token nor the cookie", async () => {
    const link = running.daemon.consoleLink() ?? "";
    expect(link).not.toContain(running.token);
    expect(link).not.toContain((await cookie()).split("=")[1]);
  });

  test("gives way when too many wait", () => {
    const first = tokenOfLink();
    for (let index = 0; index < 100; index++) running.daemon.consoleLink();
    return expect(signIn(first)).resolves.toMatchObject({ status: 401 });
  });

  test.each(["", "nonsense", "undefined"])("of %j lets nobody in", async (token) => {
    expect((await signIn(token)).status).toBe(401);
  });

  test("does not work for a foreign page", async () => {
    expect((await signIn(tokenOfLink(), { origin: "http://evil.example" })).status).toBe(403);
  });
});

describe("a cookie", () => {
  test("stands for the token where our own page asks", async () => {
    expect((await version({ cookie: await cookie(), origin: url.origin })).status).toBe(200);
    expect((await version({ cookie: await cookie(), "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test.each<[string, Record<string, string>, number]>([
    ["without a page that asks", {}, 401],
    ["from another port of this machine", { origin: "http://127.0.0.1:1" }, 403],
    ["from the same site only", { "sec-fetch-site": "same-site" }, 403],
    ["by another name of this machine", { host: "rebound.example", origin: "http://rebound.example" }, 403],
  ])("does not count %s", async (_, headers, status) => {
    expect((await version({ cookie: await cookie(), ...headers })).status).toBe(status);
  });

  test("of another port or value is nothing", async () => {
    const own = await cookie();
    const [name = "", value = ""] = own.split("=");
    for (const wrong of [`${name}=`, `${name}=x${value}`, `agentwire-1=${value}`, `x${own}`])
      expect((await version({ cookie: wrong, origin: url.origin })).status).toBe(401);
  });
});

describe("the console", () => {
  test("is given to anybody on this machine, with a policy that lets nothing else in", async () => {
    const { status, headers, body } = await ask("GET", "/");
    expect(status).toBe(200);
    expect(body).toContain("agentwire");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-cache" });
    const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(body) ?? [];
    expect((await ask("GET", script)).headers["cache-control"]).toContain("immutable");
    expect((await ask("HEAD", script)).body).toBe("");
  });

  test.each([
    "/../package.json",
    "/..%2fpackage.json",
    "/assets/../../package.json",
    "//etc/passwd",
    "/none",
  ])("has nothing at %s", async (path) => {
    expect((await ask("GET", path)).status).toBe(404);
  });

  test("is not given under another name of this machine", async () => {
    expect((await ask("GET", "/", { host: "rebound.example" })).status).toBe(403);
  });
});
