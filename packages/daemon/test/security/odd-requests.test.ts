import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect as connectHttp2, constants, type OutgoingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { openVictim, type Victim } from "./victim.ts";

const run = promisify(execFile);
const VERSION = "/agentwire.v1.HealthService/GetVersion";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
});
afterAll(() => victim.end());

/** Sends bytes to the socket file, or to a port if given, and returns everything received until the connection ends. */
async function raw(bytes: string, port?: number): Promise<string> {
  const socket = port === undefined ? connect(victim.socket) : connect(port, "127.0.0.1");
  socket.on("error", () => {});
  // An aborted connection may or may not have been answered.
  const answer = text(socket).catch(() => "");
  socket.write(bytes);
  return answer;
}

const post = (target: string, host: string, more = "") =>
  `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n${more}\r\n{}`;

/** Checks that the daemon answers, and that no unexpected exception was caught. */
async function isWell(): Promise<void> {
  const { status } = await victim.post(VERSION, {}, "{}", { socketPath: victim.socket });
  expect(status).toBe(200);
  expect(victim.running.daemon.metrics.bugs.total).toBe(0);
}

const HOSTS = [
  "a%2Fb",
  "tmp%2Fagentwire%2Fdaemon.sock",
  "localhost:99999",
  "localhost:-1",
  "[::1",
  "[",
  "a b",
  "user:word@host",
  "%",
  "%00",
  "..",
  "/",
  "?",
  "#",
  "\\",
  "ö",
  "x".repeat(3000),
];

describe("a host that is not a valid URL", () => {
  test.each(HOSTS)("is accepted on the socket over HTTP/1: %s", async (host) => {
    expect(await raw(post(VERSION, host))).toMatch(/^HTTP\/1.1 200 /);
    await isWell();
  });

  test.each(HOSTS)("is refused on a port over HTTP/1: %s", async (host) => {
    const token = `Authorization: Bearer ${victim.running.token}\r\n`;
    expect(await raw(post(VERSION, host, token), victim.port)).toMatch(/^HTTP\/1.1 403 /);
    await isWell();
  });

  test.each(HOSTS.filter((host) => /^[\x21-\x7e]+$/.test(host)))(
    "is accepted on the socket over HTTP/2, or violates HTTP/2: %s",
    async (host) => {
      expect([{ ":status": 200 }, BROKEN]).toContainEqual(await h2({ ":authority": host }));
      await isWell();
    },
  );
});

/** A violation of HTTP/2 itself is reset before a handler sees the request. */
const BROKEN = { reset: constants.NGHTTP2_PROTOCOL_ERROR };

/** One request over HTTP/2 to the socket; the status of the answer, or the code of the stream reset. */
async function h2(headers: OutgoingHttpHeaders, body = "{}"): Promise<object> {
  const session = connectHttp2("http://localhost", { createConnection: () => connect(victim.socket) });
  session.on("error", () => {});
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": VERSION,
      "content-type": "application/json",
      ...headers,
    });
    stream.on("error", () => {}).resume();
    stream.end(body);
    return await new Promise((resolve) => {
      stream.once("response", ({ ":status": status }) => resolve({ ":status": status }));
      stream.once("close", () => resolve({ reset: stream.rstCode }));
    });
  } finally {
    session.destroy();
  }
}

describe("a malformed request", () => {
  test.each<[string, () => string, RegExp]>([
    ["names a full URL", () => post(`http://localhost${VERSION}`, "localhost"), / 404 .*not found: /s],
    ["names an invalid URL", () => post("http://[/x", "localhost"), / 404 /],
    ["has two slashes as its target", () => post("//", "localhost"), / 404 /],
    ["has an asterisk as its target", () => post("*", "localhost"), / 404 /],
    ["has an invalid escape in its path", () => post(`${VERSION}%zz`, "localhost"), / 404 /],
    ["has an odd query", () => post(`${VERSION}?%zz=\\[`, "localhost"), / 200 /],
    ["asks to upgrade to WebSocket", () => post(VERSION, "localhost", "Upgrade: websocket\r\n"), / 200 /],
    ["asks to upgrade to HTTP/2", () => post(VERSION, "localhost", "Upgrade: h2c\r\n"), / 200 /],
    ["has an unknown expectation", () => post(VERSION, "localhost", "Expect: tea\r\n"), / 417 /],
    ["is a CONNECT", () => "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", /^$/],
    ["has an unknown method", () => `BREW ${VERSION} HTTP/1.1\r\nHost: x\r\n\r\n`, / 400 /],
    ["has no host", () => `POST ${VERSION} HTTP/1.1\r\nConnection: close\r\n\r\n`, / 400 /],
    ["has no host in HTTP/1.0", () => `POST ${VERSION} HTTP/1.0\r\n\r\n`, / 403 /],
    ["has oversized headers", () => post(VERSION, "localhost", `X: ${"x".repeat(20_000)}\r\n`), / 431 /],
    ["is a GET", () => `GET ${VERSION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, / 405 .*POST/s],
    [
      "is pipelined",
      () => post(VERSION, "a%2Fb").replace("Connection: close\r\n", "") + post(VERSION, "["),
      / 200 .* 200 /s,
    ],
    ["has length and chunks", () => post(VERSION, "localhost", "Transfer-Encoding: chunked\r\n"), / 400 /],
  ])("is answered or refused cleanly: it %s", async (_, request, expected) => {
    expect(await raw(request())).toMatch(expected);
    await isWell();
  });

  test.each<[string, OutgoingHttpHeaders, object]>([
    ["has an empty authority", { ":authority": "" }, BROKEN],
    [
      "is a CONNECT",
      { ":method": "CONNECT", ":path": undefined, ":scheme": undefined, ":authority": "x" },
      { ":status": 405 },
    ],
    ["has an unknown expectation", { expect: "tea" }, { ":status": 417 }],
    ["names a full URL", { ":path": "http://[/" }, BROKEN],
    ["has an empty content type", { "content-type": "" }, { ":status": 415 }],
    ["has an invalid deadline", { "connect-timeout-ms": "soon" }, { ":status": 400 }],
    [
      "has an invalid gRPC deadline",
      { "content-type": "application/grpc", "grpc-timeout": "1x" },
      { ":status": 200 },
    ],
  ])("over HTTP/2 is answered or refused cleanly: it %s", async (_, headers, expected) => {
    expect(await h2(headers)).toMatchObject(expected);
    await isWell();
  });

  test("streams reset by the hundred do no harm", async () => {
    const session = connectHttp2("http://localhost", { createConnection: () => connect(victim.socket) });
    session.on("error", () => {});
    for (let i = 0; i < 1000 && !session.destroyed; i++) {
      const stream = session.request({
        ":method": "POST",
        ":path": VERSION,
        "content-type": "application/grpc",
      });
      stream.on("error", () => {}).resume();
      stream.write(Buffer.from([0, 0, 0]));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    session.destroy();
    await isWell();
  });

  test("watchers that disconnect mid-message do no harm", async () => {
    const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
    for (const type of ["application/grpc", "application/connect+json", "application/grpc-web"]) {
      const client = connectHttp2("http://localhost", { createConnection: () => connect(victim.socket) });
      client.on("error", () => {});
      const streams = Array.from({ length: 20 }, () => {
        const stream = client.request({
          ":method": "POST",
          ":path": "/agentwire.v1.SessionService/Watch",
          "content-type": type,
        });
        const message = type.endsWith("json")
          ? Buffer.from(JSON.stringify({ sessionId: session?.id }))
          : Buffer.concat([Buffer.from([10, 36]), Buffer.from(session?.id ?? "")]);
        const head = Buffer.alloc(5);
        head.writeUInt32BE(message.length, 1);
        stream.on("error", () => {}).end(Buffer.concat([head, message]));
        return stream;
      });
      await Promise.all(streams.map((stream) => once(stream, "response")));
      for (const stream of streams) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      client.destroy();
    }
    await isWell();
  });
});

/** Sends a request a hundred times, and leaves each time as soon as the answer begins. */
const LEAVER = `
  const [path, request] = process.argv.slice(1);
  const leave = (left) => {
    const socket = require("node:net").connect(path).on("error", () => {});
    socket.once("data", () => socket.destroy()).on("close", () => left > 1 && leave(left - 1));
    socket.write(request);
  };
  leave(100);`;

describe("a client that disconnects", () => {
  test("in the middle of a long answer is not a failure of the daemon", { timeout: 60_000 }, async () => {
    writeFileSync(join(victim.folder, "long.txt"), "x".repeat(1_000_000));
    const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
    const body = JSON.stringify({ sessionId: session?.id, path: "long.txt" });
    const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const request = `POST /agentwire.v1.WorkspaceService/ReadFile HTTP/1.1\r\n${head}\r\n\r\n${body}`;
    // In a process of its own: here, the daemon would always notice the end first.
    await run(process.execPath, ["-e", LEAVER, victim.socket, request]);
    await isWell();
  });
});

describe("random input does no harm", { timeout: 120_000 }, () => {
  const token = fc.string({ maxLength: 40, unit: fc.constantFrom(..."abz09%/?#[]@:.\\\"'{}|^~ \t-_;,=") });

  test("as the path and host", async () => {
    await fc.assert(
      fc.asyncProperty(token, token, async (target, host) => {
        await raw(post(`/${target.replaceAll(/\s/g, "")}`, host));
      }),
      { numRuns: 150 },
    );
    await isWell();
  });

  test("as the content type, encoding and body", async () => {
    const types = [
      "json",
      "proto",
      "grpc",
      "grpc+json",
      "grpc-web",
      "grpc-web-text",
      "connect+json",
      "connect+proto",
    ];
    const type = fc.oneof(
      token,
      fc.constantFrom(...types).map((name) => `application/${name}`),
    );
    await fc.assert(
      fc.asyncProperty(
        type,
        token,
        fc.string({ unit: anyCharacter, maxLength: 30 }),
        async (name, coding, body) => {
          const encodings = {
            "content-encoding": coding,
            "grpc-encoding": coding,
            "connect-content-encoding": coding,
          };
          const value = (given: string) => given.trim().replaceAll("\t", " ");
          await h2({ ...encodings, "content-type": value(name), "grpc-timeout": value(coding) }, body);
        },
      ),
      { numRuns: 150 },
    );
    await isWell();
  });
});
