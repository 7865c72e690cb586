import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FailedLogins } from "../../src/access/failed-logins.ts";
import { Rate } from "../../src/access/rate.ts";
import { type Listener, listen } from "../../src/http/front.ts";
import { fails } from "../unexpected.ts";
import { openVictim, type Victim } from "./victim.ts";

const VERSION = "/agentwire.v1.HealthService/GetVersion";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim({ maxPayloadBytes: 200_000 });
});
afterAll(() => victim.end());

const bearing = (secret = victim.running.token) => ({ authorization: `Bearer ${secret}` });

/** Sends bytes to the port, and returns the answer once the connection is closed. */
async function say(bytes: string | Buffer): Promise<string> {
  const socket = connect(victim.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.end(bytes);
  return text(socket).catch(() => "");
}

/** Checks that the daemon still answers. */
async function isWell(): Promise<void> {
  expect((await victim.post(VERSION, bearing())).status).toBe(200);
}

describe("size limits", () => {
  test("oversized headers are refused", async () => {
    const { status } = await victim.post(VERSION, { ...bearing(), "x-padding": "x".repeat(20_000) });
    expect(status).toBe(431);
    await isWell();
  });

  test("an oversized request is refused even without a declared length", async () => {
    const body = JSON.stringify({ title: "x".repeat(300_000) });
    const path = "/agentwire.v1.SessionService/CreateSession";
    expect((await victim.post(path, bearing(), body)).body).toContain("resource_exhausted");
    expect((await victim.post(path, { ...bearing(), "transfer-encoding": "chunked" }, body)).body).toContain(
      "resource_exhausted",
    );
    await isWell();
  });

  test("a compressed request is refused without being decompressed", async () => {
    const { gzipSync } = await import("node:zlib");
    const packed = gzipSync(`{"title":"${"x".repeat(50_000_000)}"}`);
    const head = `POST /agentwire.v1.SessionService/CreateSession HTTP/1.1\r\nhost: 127.0.0.1:${victim.port}\r\nauthorization: Bearer ${victim.running.token}\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\nconnection: close\r\ncontent-length: ${packed.length}\r\n\r\n`;
    expect(await say(Buffer.concat([Buffer.from(head), packed]))).toContain("unknown compression");
    await isWell();
  });

  test.each([
    ["CreateSession", { title: "x".repeat(5000) }],
    ["CreateSession", { cwd: `/${"x".repeat(5000)}` }],
    ["CreateSession", { idempotencyKey: "x".repeat(5000) }],
    ["ListSessions", { search: "x".repeat(5000) }],
    ["TakeInput", { client: "x".repeat(5000) }],
  ])("an oversized field is refused: %s %#", async (method, request) => {
    const answer = await victim.post(
      `/agentwire.v1.SessionService/${method}`,
      bearing(),
      JSON.stringify(request),
    );
    expect(answer.body).toMatch(/INVALID_ARGUMENT: \w+: give at most 4096 characters/);
  });
});

describe("malformed input", () => {
  test.each<[string, string | Buffer]>([
    ["noise", Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256))],
    ["a request without a host", `POST ${VERSION} HTTP/1.1\r\n\r\n`],
    [
      "two lengths",
      `POST ${VERSION} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}`,
    ],
    [
      "a length and chunks",
      `POST ${VERSION} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["a header folded over lines", `POST ${VERSION} HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\r\n b\r\n\r\n`],
    ["a space before the colon", `POST ${VERSION} HTTP/1.1\r\nhost : 127.0.0.1\r\n\r\n`],
    ["an unsupported HTTP version", `POST ${VERSION} HTTP/0.9\r\n\r\n`],
    ["truncated HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff"],
    ["a TLS handshake", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ])("closes the sender's connection: %s", async (_, bytes) => {
    expect(await say(bytes)).not.toContain("200 OK");
    await isWell();
  });

  test.each([
    ["invalid JSON", "{"],
    ["a list", "[]"],
    ["a __proto__ key", '{"__proto__":{"admin":true}}'],
    ["an unknown field", '{"x":1}'],
    ["deep nesting", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["an empty body", ""],
  ])("as JSON is refused or ignored: %s", async (_, body) => {
    const { status } = await victim.post(VERSION, bearing(), body);
    expect([200, 400]).toContain(status);
    await isWell();
  });
});

test("clients that connect at once are all accepted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-backlog-"));
  const path = join(folder, "socket");
  const listener = await listen({ path }, (_, response) => void response.end(), fails);
  // The system imposes its own limit as well.
  const most = Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  const sockets = Array.from({ length: Math.min(1500, most) }, () => connect(path));
  const refused: unknown[] = [];
  const came = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.once("connect", resolve).on("error", (error) => {
          refused.push(error);
          resolve();
        });
      }),
  );
  await Promise.all(came);
  for (const socket of sockets) socket.destroy();
  await listener.close();
  rmSync(folder, { recursive: true });
  expect(refused).toEqual([]);
});

describe("slow clients", () => {
  let listener: Listener;
  beforeAll(async () => {
    listener = await listen(
      { host: "127.0.0.1", port: 0 },
      async (request, response) => {
        await text(request).then(
          () => response.end("done"),
          () => {},
        );
      },
      fails,
      { headersMs: 300, requestMs: 600, idleMs: 500 },
    );
  });
  afterAll(() => listener.close());

  const slow = () => {
    const socket = connect(Number(new URL(listener.address).port), "127.0.0.1");
    return socket.on("error", () => {});
  };

  /** A client cut off while it sends sees a connection reset before the close. */
  const closed = (socket: Socket) => new Promise((resolve) => void socket.once("close", resolve));

  test.each<[string, (socket: Socket) => void]>([
    ["sends nothing", () => {}],
    ["sends half a word", (socket) => void socket.write("P")],
    ["never ends its headers", (socket) => void socket.write("POST / HTTP/1.1\r\nhost: x\r\n")],
    [
      "never ends its request",
      (socket) => void socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12"),
    ],
    [
      "sends an oversized frame over HTTP/2",
      (socket) =>
        void socket.write(
          Buffer.concat([
            Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            Buffer.from([0xff, 0xff, 0xff, 4, 0, 0, 0, 0, 0]),
          ]),
        ),
    ],
    ["sends no request over HTTP/2", (socket) => void socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
  ])(
    "are disconnected: one that %s",
    async (_, begin) => {
      const socket = slow();
      begin(socket);
      socket.resume();
      await closed(socket);
    },
    20_000,
  );

  test("are disconnected even if they send a byte now and then", async () => {
    const socket = slow();
    const drip = setInterval(() => void socket.write("x"), 50);
    socket.write("POST / HTTP/1.1\r\nhost: x\r\nx-");
    socket.resume();
    await closed(socket);
    clearInterval(drip);
  }, 20_000);

  test("that never complete an HTTP/2 request lose that request only", async () => {
    const session = connectHttp2(listener.address);
    const never = session.request({ ":method": "POST", ":path": "/" });
    never.on("error", () => {}).write("x");
    const good = session.request({ ":method": "POST", ":path": "/" });
    good.end("x");
    expect(await text(good)).toBe("done");
    await once(never, "close");
    expect(session.closed).toBe(false);
    session.destroy();
  }, 20_000);
});

describe("rate and count limits", () => {
  test("a connection has a limited number of streams", async () => {
    const session = connectHttp2(`http://127.0.0.1:${victim.port}`);
    await once(session, "remoteSettings");
    expect(session.remoteSettings.maxConcurrentStreams).toBe(2048);
    expect(session.remoteSettings.maxHeaderListSize).toBe(16_384);
    session.destroy();
  });

  test("requests over the rate limit are refused for that token only", async () => {
    // So low that even a machine that takes ten seconds for thirty requests refuses some of them.
    const slow = await openVictim({ requestsPerSecond: 1 });
    const [first, second] = [await slow.token("observe"), await slow.token("observe")];
    const asked = await Promise.all(
      Array.from({ length: 30 }, () => slow.post(VERSION, bearing(first.secret))),
    );
    const refused = asked.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]?.headers["retry-after"]).toBe("1");
    expect((await slow.post(VERSION, bearing(second.secret))).status).toBe(200);
    await slow.end();
  }, 30_000);

  test("wrong tokens delay their sender, and no other client", async () => {
    const guessed = await openVictim();
    const guesses = [];
    for (let guess = 0; guess < 8; guess++)
      guesses.push(await guessed.post(VERSION, bearing(`guess-${guess}`)));
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect(Number(guesses.at(-1)?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await guessed.post(VERSION, bearing(guessed.running.token))).status).toBe(200);
    await guessed.end();
  }, 30_000);

  test("a session has a limited number of queued prompts", async () => {
    const { sessions } = victim.owner;
    const { session } = await sessions.createSession({ cwd: victim.folder });
    const sessionId = session?.id ?? "";
    const fill = await victim.running.daemon.registry.get(sessionId);
    // The first one keeps the agent waiting for an answer.
    const sent = Array.from({ length: 1000 }, () => fill.send("ask me: tea or coffee?", "x", null));
    await expect(sessions.sendPrompt({ sessionId, text: "one more" })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
      rawMessage:
        "TOO_MANY: 1000 prompts are already queued in this session: wait until some are answered, or cancel some",
    });
    await Promise.all(sent);
    await sessions.deleteSession({ sessionId });
  }, 60_000);
});

describe("the delay after failed logins", () => {
  test("doubles up to five minutes, and is reset after an hour", () => {
    let now = 0;
    const logins = new FailedLogins(() => now);
    const waits = Array.from({ length: 16 }, () => {
      logins.failed("a");
      return logins.waitMs("a") / 1000;
    });
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(logins.waitMs("b")).toBe(0);
    now += 3_600_000;
    logins.failed("a");
    expect(logins.waitMs("a")).toBe(0);
  });
});

test("a rate limit allows a burst, then a fixed number per second", () => {
  let now = 0;
  const rate = new Rate(10, () => now);
  const taken = () => Array.from({ length: 100 }, () => rate.take()).filter(Boolean).length;
  expect(taken()).toBe(20);
  now += 1000;
  expect(taken()).toBe(10);
  now -= 5000;
  expect(taken()).toBe(0);
});
