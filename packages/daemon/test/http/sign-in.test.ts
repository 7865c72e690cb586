import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

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

/** Sends a request as a browser might, with any headers, Host and Origin included. */
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

const tokenIn = (link: string | undefined) => new URL(link ?? "").hash.replace("#token=", "");
const tokenOfLink = () => tokenIn(running.daemon.consoleLink("a test")?.url);
const signIn = (token: string, headers = {}) =>
  ask("POST", "/sign-in", { authorization: `Bearer ${token}`, origin: url.origin, ...headers });
const rpc = (method: string, headers: Readonly<Record<string, string>>, body = {}) =>
  ask(
    "POST",
    `/agentwire.v1.${method}`,
    { "content-type": "application/json", ...headers },
    JSON.stringify(body),
  );
const version = (headers: Readonly<Record<string, string>>) => rpc("HealthService/GetVersion", headers);

/** Both halves of a browser's sign-in: cookie and proof. */
async function signedIn(token = tokenOfLink()): Promise<{ cookie: string; "agentwire-sign-in": string }> {
  const { headers, body } = await signIn(token);
  const [first = ""] = headers["set-cookie"] ?? [];
  const { proof } = JSON.parse(body) as { proof: string };
  return { cookie: first.split(";")[0] ?? "", "agentwire-sign-in": proof };
}

/** The latest entries of the audit log about logins, oldest first. */
async function logins(count: number): Promise<readonly string[]> {
  const { store } = running.daemon;
  await store.write([]);
  const page = await store.audit.page({ from: 0, backwards: true, kind: "login", limit: count });
  return page
    .map(({ actor, action, detail }) => `${actor}|${action}|${detail.replace(/\d{4}-.*Z/, "TIME")}`)
    .reverse();
}

describe("a sign-in link", () => {
  test("is exchanged once for a proof and a cookie that scripts and other sites cannot read", async () => {
    const token = tokenOfLink();
    const { status, headers, body } = await signIn(token);
    expect(status).toBe(200);
    const set = String(headers["set-cookie"]);
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
    expect(set + body).not.toContain(running.token);
    expect((await signIn(token)).status).toBe(401);
  });

  test("contains no lasting secret: neither the daemon's token nor the cookie", async () => {
    const link = running.daemon.consoleLink("a test")?.url ?? "";
    expect(link).not.toContain(running.token);
    expect(link).not.toContain((await signedIn()).cookie.split("=")[1]);
  });

  test("expires early when too many are unused", () => {
    const first = tokenOfLink();
    for (let index = 0; index < 100; index++) running.daemon.consoleLink("a test");
    return expect(signIn(first)).resolves.toMatchObject({ status: 401 });
  });

  test.each(["", "nonsense", "undefined"])("with the token %j is rejected", async (token) => {
    expect((await signIn(token)).status).toBe(401);
  });

  test("is rejected for a foreign page", async () => {
    expect((await signIn(tokenOfLink(), { origin: "http://evil.example" })).status).toBe(403);
  });

  test("is valid for five minutes", async () => {
    const late = tokenOfLink();
    const soon = tokenOfLink();
    const now = Date.now();
    const clock = vi.spyOn(Date, "now");
    try {
      clock.mockReturnValue(now + 4.9 * 60_000);
      expect((await signIn(soon)).status).toBe(200);
      clock.mockReturnValue(now + 5.1 * 60_000);
      expect((await signIn(late)).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  test("and its browsers are invalid once the token that created it is revoked", async () => {
    const { tokens } = running.daemon;
    const wanted = { name: "laptop", scope: "admin", createdBy: "a test", ttlMs: undefined } as const;
    const { token, secret } = await tokens.create(wanted);
    const make = async () => {
      const { body } = await rpc("AdminService/CreateConsoleLink", { authorization: `Bearer ${secret}` });
      return tokenIn((JSON.parse(body) as { url: string }).url);
    };
    const [used, unused] = [await make(), await make()];
    const browser = { ...(await signedIn(used)), origin: url.origin };
    // A link made by a browser belongs to the token that the browser's own link was made with.
    const third = await rpc("AdminService/CreateConsoleLink", browser);
    const again = tokenIn((JSON.parse(third.body) as { url: string }).url);
    expect((await version(browser)).status).toBe(200);
    await tokens.revoke(token.id, "a test");
    expect((await version(browser)).status).toBe(401);
    expect((await signIn(unused)).status).toBe(401);
    expect((await signIn(again)).status).toBe(401);
  });

  test("signs a browser in for no longer than the token that created it is valid", async () => {
    const wanted = { name: "brief", scope: "admin", createdBy: "a test", ttlMs: 60_000 } as const;
    const { secret } = await running.daemon.tokens.create(wanted);
    const { body } = await rpc("AdminService/CreateConsoleLink", { authorization: `Bearer ${secret}` });
    const { headers } = await signIn(tokenIn((JSON.parse(body) as { url: string }).url));
    const [, seconds] = /Max-Age=(\d+)/.exec(String(headers["set-cookie"])) ?? [];
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  });

  test("is logged in the audit log when created, used and refused, without its token", async () => {
    const token = tokenOfLink();
    await signIn(token);
    await signIn(token);
    const noted = await logins(3);
    expect(noted).toEqual([
      "a test|link made|signs a browser in until TIME",
      "the daemon's owner|browser signed in|until TIME",
      "somebody|refused|a wrong, used or expired sign-in link",
    ]);
    expect(noted.join()).not.toContain(token);
  });
});

describe("a signed-in browser", () => {
  test("has the rights of the token on our own page", async () => {
    const keys = await signedIn();
    expect((await version({ ...keys, origin: url.origin })).status).toBe(200);
    expect((await version({ ...keys, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("is not identified by the cookie alone, which every server on this machine receives", async () => {
    const { cookie } = await signedIn();
    const forged = { cookie, origin: url.origin, "sec-fetch-site": "same-origin" };
    const wanted = { name: "stolen", scope: "ACCESS_SCOPE_ADMIN" };
    expect((await rpc("TokenService/CreateToken", forged, wanted)).status).toBe(401);
    expect((await version(forged)).status).toBe(401);
    expect((await ask("GET", "/metrics", forged)).status).toBe(401);
    expect((await ask("POST", "/sign-in", forged)).status).toBe(401);
  });

  test("is not identified by the proof alone, or by a cookie and proof of different browsers", async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const origin = { origin: url.origin };
    const { cookie, "agentwire-sign-in": proof } = one;
    expect((await version({ ...origin, "agentwire-sign-in": proof })).status).toBe(401);
    expect((await version({ ...origin, ...other, cookie })).status).toBe(401);
    expect(
      (await version({ ...origin, cookie, "agentwire-sign-in": cookie.split("=")[1] ?? "" })).status,
    ).toBe(401);
    expect((await version({ ...origin, cookie, "agentwire-sign-in": `x${proof}` })).status).toBe(401);
    expect((await version({ ...origin, cookie, "agentwire-sign-in": `${proof}.` })).status).toBe(401);
  });

  test("stays signed in for a month", async () => {
    const keys = { ...(await signedIn()), origin: url.origin };
    const later = Date.now() + 31 * 86_400_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(later);
    try {
      expect((await version(keys)).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  test.each<[string, Record<string, string>, number]>([
    ["without a page that asks", {}, 401],
    ["from a page on another port of this machine", { origin: "http://127.0.0.1:1" }, 403],
    ["from the same site but another origin", { "sec-fetch-site": "same-site" }, 403],
    ["under another host name", { host: "rebound.example", origin: "http://rebound.example" }, 403],
  ])("is rejected %s", async (_, headers, status) => {
    expect((await version({ ...(await signedIn()), ...headers })).status).toBe(status);
  });

  test("with a cookie for another port or with another value is rejected", async () => {
    const { cookie: own, ...proof } = await signedIn();
    const [name = "", value = ""] = own.split("=");
    for (const wrong of [`${name}=`, `${name}=x${value}`, `agentwire-1=${value}`, `x${own}`])
      expect((await version({ ...proof, cookie: wrong, origin: url.origin })).status).toBe(401);
  });
});

describe("the console", () => {
  test("is served to every user of this machine, with a restrictive content security policy", async () => {
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
  ])("serves nothing at %s", async (path) => {
    expect((await ask("GET", path)).status).toBe(404);
  });

  test("is not served under another name of this machine", async () => {
    expect((await ask("GET", "/", { host: "rebound.example" })).status).toBe(403);
  });
});
