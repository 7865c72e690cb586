import { once } from "node:events";
import { connect } from "node:http2";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openVictim, type Victim } from "./victim.ts";

const VERSION = "/agentwire.v1.HealthService/GetVersion";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
});
afterAll(() => victim.end());

const HEADERS = () => ({
  authorization: `Bearer ${victim.running.token}`,
  host: `127.0.0.1:${victim.port}`,
});

/** Requests that a page must not make a browser with a valid token send. */
const FOREIGN: readonly (readonly [string, (port: number) => Record<string, string>, number])[] = [
  ["a foreign origin", () => ({ origin: "https://evil.example" }), 403],
  ["a foreign origin without TLS", () => ({ origin: "http://evil.example" }), 403],
  [
    "an origin that starts with our host name",
    (port) => ({ origin: `http://127.0.0.1:${port}.evil.example` }),
    403,
  ],
  [
    "an origin with our host name as its user",
    (port) => ({ origin: `http://127.0.0.1:${port}@evil.example` }),
    403,
  ],
  ["our origin with TLS", (port) => ({ origin: `https://127.0.0.1:${port}` }), 403],
  ["an origin on another port of this machine", (port) => ({ origin: `http://127.0.0.1:${port + 1}` }), 403],
  ["an origin on this machine without a port", () => ({ origin: "http://127.0.0.1" }), 403],
  ["the origin null", () => ({ origin: "null" }), 403],
  ["an empty origin", () => ({ origin: "" }), 403],
  ["a file as origin", () => ({ origin: "file://" }), 403],
  ["an extension as origin", () => ({ origin: "chrome-extension://abcdefgh" }), 403],
  ["two origins", (port) => ({ origin: `http://127.0.0.1:${port}, https://evil.example` }), 403],
  ["a foreign host", (port) => ({ host: `evil.example:${port}` }), 403],
  ["a host name that resolves to this machine", (port) => ({ host: `127.0.0.1.nip.io:${port}` }), 403],
  ["a host that starts with our name", (port) => ({ host: `localhost.evil.example:${port}` }), 403],
  ["a host with a trailing dot", (port) => ({ host: `localhost.:${port}` }), 403],
  ["another port in the host", (port) => ({ host: `127.0.0.1:${port + 1}` }), 403],
  ["no port in the host", () => ({ host: "127.0.0.1" }), 403],
  ["the wildcard address as host", (port) => ({ host: `0.0.0.0:${port}` }), 403],
  ["a number as host", (port) => ({ host: `2130706433:${port}` }), 403],
  [
    "a foreign host with its own origin",
    (port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
    403,
  ],
  ["a request from another site", () => ({ "sec-fetch-site": "cross-site" }), 403],
  ["a request from another port of this machine", () => ({ "sec-fetch-site": "same-site" }), 403],
  ["a request that no page made", () => ({ "sec-fetch-site": "none" }), 403],
  [
    "a cross-site navigation that posts",
    () => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }),
    403,
  ],
  ["plain text", () => ({ "content-type": "text/plain" }), 415],
  ["plain text that claims to be JSON", () => ({ "content-type": "text/plain;application/json" }), 415],
  ["a form", () => ({ "content-type": "application/x-www-form-urlencoded" }), 415],
  ["a form with files", () => ({ "content-type": "multipart/form-data; boundary=x" }), 415],
];

describe("the port", () => {
  test.each(FOREIGN)("refuses %s even with the token", async (_, headers, status) => {
    const answer = await victim.post(VERSION, { ...HEADERS(), ...headers(victim.port) });
    expect(answer.status).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("refuses the preflight request of a foreign page", async () => {
    const url = `http://127.0.0.1:${victim.port}${VERSION}`;
    const asked = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const answer = await fetch(url, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", ...asked },
    });
    expect(answer.status).toBe(403);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    [
      "its own page",
      (port: number) => ({ origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" }),
    ],
    ["another of its host names", (port: number) => ({ host: `localhost:${port}` })],
    ["its host name in another case", (port: number) => ({ host: `LocalHost:${port}` })],
  ])("answers %s", async (_, headers) => {
    expect((await victim.post(VERSION, { ...HEADERS(), ...headers(victim.port) })).status).toBe(200);
  });

  test("checks the host of HTTP/2 as well", async () => {
    const session = connect(`http://127.0.0.1:${victim.port}`);
    const status = async (authority: string, headers = {}) => {
      const stream = session.request({
        ":method": "POST",
        ":path": VERSION,
        ":authority": authority,
        "content-type": "application/json",
        authorization: `Bearer ${victim.running.token}`,
        ...headers,
      });
      stream.end("{}");
      const [answer] = (await once(stream, "response")) as [Record<string, unknown>];
      stream.close();
      return answer[":status"];
    };
    expect(await status("evil.example")).toBe(403);
    expect(await status(`127.0.0.1:${victim.port}`)).toBe(200);
    expect(await status(`127.0.0.1:${victim.port}`, { host: "evil.example" })).toBe(400);
    expect(await status(`127.0.0.1:${victim.port}`, { host: `localhost:${victim.port}` })).toBe(400);
    expect(await status("evil.example", { host: `127.0.0.1:${victim.port}` })).toBe(403);
    expect(await status(`127.0.0.1:${victim.port}`, { origin: "https://evil.example" })).toBe(403);
    session.close();
  });
});

describe("a request with a repeated header", () => {
  /** Sends lines unchanged; resolves with the first line of the answer. */
  const say = (lines: readonly string[], at: { port: number; host: string } | { path: string }) =>
    new Promise<string>((resolve, reject) => {
      let answer = "";
      createConnection(at)
        .on("error", reject)
        .on("data", (data) => {
          answer += String(data);
        })
        .on("close", () => resolve(answer.split("\r\n")[0] ?? ""))
        .end(`${lines.join("\r\n")}\r\n\r\n{}`);
    });
  const own = () => `127.0.0.1:${victim.port}`;
  const head = (...more: readonly string[]) => [
    `POST ${VERSION} HTTP/1.1`,
    `authorization: Bearer ${victim.running.token}`,
    "content-type: application/json",
    "content-length: 2",
    "connection: close",
    ...more,
  ];
  const port = () => ({ host: "127.0.0.1", port: victim.port });

  test.each<[string, () => readonly string[]]>([
    ["our host first", () => head(`host: ${own()}`, "host: evil.example")],
    ["our host second", () => head("Host: evil.example", `host: ${own()}`)],
    ["the same host twice", () => head(`host: ${own()}`, `HOST: ${own()}`)],
    ["two of our host names", () => head(`host: ${own()}`, `host: localhost:${victim.port}`)],
    ["two origins", () => head(`host: ${own()}`, `origin: http://${own()}`, `origin: http://${own()}`)],
    ["two tokens", () => head(`host: ${own()}`, "authorization: Bearer x")],
    ["two content types", () => head(`host: ${own()}`, "content-type: text/plain")],
  ])("is refused: %s", async (_, lines) => {
    expect(await say(lines(), port())).toBe("HTTP/1.1 400 Bad Request");
    expect(await say(lines(), { path: victim.socket })).toBe("HTTP/1.1 400 Bad Request");
  });

  test("is refused if the request line names another host", async () => {
    const [, ...rest] = head(`host: ${own()}`);
    expect(await say([`POST http://evil.example${VERSION} HTTP/1.1`, ...rest], port())).toMatch(/ 40[03] /);
  });

  test("is answered without the repetition", async () => {
    expect(await say(head(`host: ${own()}`), port())).toBe("HTTP/1.1 200 OK");
  });
});

describe("the socket", () => {
  const at = () => ({ socketPath: victim.socket });
  test.each([
    [
      "a foreign page that found a forwarded port",
      { host: "localhost:8080", origin: "https://evil.example" },
      403,
    ],
    [
      "a name that resolves to a forwarded port",
      { host: "evil.example:8080", origin: "http://evil.example:8080" },
      403,
    ],
    ["a request from another site", { host: "localhost:8080", "sec-fetch-site": "cross-site" }, 403],
    ["a form", { host: "localhost:8080", "content-type": "text/plain" }, 415],
  ])("refuses %s", async (_, headers, status) => {
    expect((await victim.post(VERSION, headers, "{}", at())).status).toBe(status);
  });

  test.each([
    ["programs, whatever host they send", { host: "x" }],
    [
      "a page on a port that the daemon's owner forwards",
      { host: "localhost:8080", origin: "http://localhost:8080", "sec-fetch-site": "same-origin" },
    ],
  ])("answers %s", async (_, headers) => {
    expect((await victim.post(VERSION, headers, "{}", at())).status).toBe(200);
  });
});
