import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ConnectionOptions, connect } from "node:tls";
import { HealthService } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { readSettings } from "../../src/settings.ts";
import { makeAuthority, makeCertificate, type Pair } from "./certificates.ts";
import { openVictim, type Victim } from "./victim.ts";

const VERSION = "/agentwire.v1.HealthService/GetVersion";

let folder: string;
let authority: Pair;
let people: Readonly<Record<"phone" | "stranger" | "enemy", Pair>>;
let victim: Victim;
let open: number;
let mutual: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-tls-"));
  authority = makeAuthority(folder, "authority");
  const server = makeCertificate(
    folder,
    "daemon.example",
    authority,
    "DNS:daemon.example,DNS:localhost,IP:127.0.0.1",
  );
  const another = makeAuthority(folder, "another-authority");
  people = {
    phone: makeCertificate(folder, "phone", authority),
    stranger: makeCertificate(folder, "stranger", authority),
    enemy: makeCertificate(mkdtempSync(join(folder, "enemy-")), "phone", another),
  };
  const clients = new Map([["phone", "answer"]] as const);
  victim = await openVictim({
    listen: [
      { host: "0.0.0.0", port: 0, tls: { ...server, clients: new Map() } },
      { host: "127.0.0.1", port: 0, tls: { ...server, clientCa: authority.cert, clients } },
    ],
  });
  [open = 0, mutual = 0] = victim.running.addresses.slice(2).map((address) => Number(new URL(address).port));
});
afterAll(async () => {
  await victim.end();
  rmSync(folder, { recursive: true });
});

interface Attempt {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly as?: Pair;
}

/** Sends a request over TLS; resolves with the status. */
const ask = async (port: number, attempt?: Attempt): Promise<number> =>
  (await send(port, attempt)).statusCode ?? 0;

/** Sends a request over TLS; resolves with the whole answer. */
function send(port: number, { path = VERSION, headers = {}, as }: Attempt = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port,
        path,
        method: "POST",
        agent: false,
        servername: "localhost",
        ca: readFileSync(authority.cert),
        ...(as && { cert: readFileSync(as.cert), key: readFileSync(as.key) }),
        headers: { "content-type": "application/json", ...headers },
      },
      async (response) => {
        await text(response);
        resolve(response);
      },
    )
      .on("error", reject)
      .end("{}");
  });
}

const owner = () => ({ authorization: `Bearer ${victim.running.token}` });

describe("a port with TLS", () => {
  test("answers clients with a token, over HTTP/1 and HTTP/2", async () => {
    expect(victim.running.addresses[2]).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/);
    expect(await ask(open, { headers: owner() })).toBe(200);
    const client = createClient(
      HealthService,
      createGrpcTransport({
        baseUrl: `https://127.0.0.1:${open}`,
        nodeOptions: { ca: readFileSync(authority.cert) },
      }),
    );
    expect(await client.getVersion({}, { headers: owner() })).toMatchObject({ api: "agentwire.v1" });
    await expect(client.getVersion({})).rejects.toThrow("send a token");
  });

  test.each<[string, Record<string, string>, number]>([
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer x" }, 401],
    ["a host name that is not in the certificate", { host: "evil.example" }, 403],
    ["an address that is not in the certificate", { host: "10.0.0.1" }, 403],
    ["a foreign page", { host: "daemon.example", origin: "https://evil.example" }, 403],
    ["a page without TLS", { host: "daemon.example:8443", origin: "http://daemon.example:8443" }, 403],
    ["a page on another port", { host: "daemon.example:8443", origin: "https://daemon.example:9999" }, 403],
  ])("refuses %s", async (_, headers, status) => {
    expect(await ask(open, { headers: { ...(status === 403 && owner()), ...headers } })).toBe(status);
  });

  test("lists its host names when refusing one, as they are in the certificate anyway", async () => {
    const foreign = {
      host: "127.0.0.1",
      port: open,
      servername: "localhost",
      ca: readFileSync(authority.cert),
    };
    const sent = request({ ...foreign, agent: false, headers: { host: "evil.example" } }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(JSON.parse(await text(response)).message).toBe(
      "this daemon does not have that host name: it is known by the names in its certificate: daemon.example, localhost or 127.0.0.1; for others, give it a certificate with them: daemon.listen in its settings.json",
    );
  });

  test("answers its own page on any forwarded port", async () => {
    const headers = { ...owner(), host: "daemon.example:8443", origin: "https://daemon.example:8443" };
    expect(await ask(open, { headers })).toBe(200);
  });

  test("restricts a browser's cookie to TLS and its own origin, and sets HSTS", async () => {
    const { port } = new URL(victim.running.addresses[2] ?? "");
    const named = { host: `daemon.example:${port}`, origin: `https://daemon.example:${port}` };
    const { headers } = await send(open, { path: "/sign-in", headers: { ...owner(), ...named } });
    expect(String(headers["set-cookie"])).toMatch(
      new RegExp(`^__Host-agentwire-${port}=[^;]+; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=\\d+$`),
    );
    expect(headers["strict-transport-security"]).toBe("max-age=2592000");
  });

  test("does not set HSTS for localhost, which has other servers", async () => {
    const { headers } = await send(open, { headers: { ...owner(), host: `localhost:${open}` } });
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  test("refuses a page without TLS over HTTP/2 as well", async () => {
    const session = connectHttp2(`https://localhost:${open}`, { ca: readFileSync(authority.cert) });
    const status = async (origin: string) => {
      const head = { ":method": "POST", ":path": VERSION, "content-type": "application/json" };
      const stream = session.request({ ...head, ...owner(), origin });
      stream.end("{}");
      const [answer] = (await once(stream, "response")) as [Record<string, unknown>];
      stream.close();
      return answer[":status"];
    };
    expect(await status(`https://localhost:${open}`)).toBe(200);
    expect(await status(`http://localhost:${open}`)).toBe(403);
    session.close();
  });

  test.each<[string, ConnectionOptions]>([
    ["an old TLS version", { maxVersion: "TLSv1.1", minVersion: "TLSv1" }],
    ["a weak cipher", { maxVersion: "TLSv1.2", ciphers: "NULL:eNULL:aNULL" }],
  ])("does not accept %s", async (_, options) => {
    const attempt = (async () => {
      const socket = connect({ port: open, host: "127.0.0.1", ca: readFileSync(authority.cert), ...options });
      await once(socket, "secureConnect");
    })();
    await expect(attempt).rejects.toThrow();
  });

  test("does not answer clients without TLS", async () => {
    await expect(fetch(`http://127.0.0.1:${open}${VERSION}`, { method: "POST" })).rejects.toThrow();
  });
});

describe("a port that requires client certificates", () => {
  test.each<[string, () => Attempt]>([
    ["a client without a certificate", () => ({ headers: owner() })],
    ["a client with a certificate of another authority", () => ({ headers: owner(), as: people.enemy })],
  ])("rejects %s, whatever its token", async (_, attempt) => {
    await expect(ask(mutual, attempt())).rejects.toThrow();
  });

  test("gives a certificate the scope of its name and no more", async () => {
    const { phone: as } = people;
    expect(await ask(mutual, { as })).toBe(200);
    expect(await ask(mutual, { as, path: "/agentwire.v1.QuestionService/Decide" })).toBe(404);
    expect(await ask(mutual, { as, path: "/agentwire.v1.SessionService/CreateSession" })).toBe(403);
    expect(await ask(mutual, { as, headers: { authorization: "Bearer wrong" } })).toBe(401);
  });

  test("requires a token as well if the certificate's name has no scope", async () => {
    const { stranger: as } = people;
    expect(await ask(mutual, { as })).toBe(401);
    expect(await ask(mutual, { as, headers: owner() })).toBe(200);
  });
});

describe("the listen settings", () => {
  const settings = (daemon: unknown) => {
    const file = join(folder, "settings.json");
    writeFileSync(file, JSON.stringify({ daemon }));
    return readSettings(file, defaultConfig({ HOME: folder }, folder));
  };

  test.each<[string, unknown, string]>([
    ["all addresses without TLS", [{ host: "0.0.0.0", port: 1 }], "without TLS, only 127.0.0.1 and ::1"],
    ["all IPv6 addresses without TLS", [{ host: "::", port: 1 }], "without TLS, only"],
    ["another address without TLS", [{ host: "192.168.1.2", port: 1 }], "without TLS, only"],
    ["a name without TLS", [{ host: "daemon.example", port: 1 }], "without TLS, only"],
    ["a name that looks like loopback", [{ host: "127.0.0.1.example", port: 1 }], "without TLS, only"],
    ["a loopback address as a number", [{ host: "2130706433", port: 1 }], "without TLS, only"],
    ["a value that is not a list", { host: "127.0.0.1" }, "daemon.listen: expected a list"],
    ["no host", [{ port: 1 }], "daemon.listen[0].host"],
    ["a port out of range", [{ host: "::1", port: 70_000 }], "daemon.listen[0].port"],
    ["a misspelled key", [{ host: "::1", port: 1, tsl: {} }], "daemon.listen[0].tsl"],
    ["no TLS key", [{ host: "::", port: 1, tls: { cert: "a" } }], "daemon.listen[0].tls.key"],
    [
      "an unknown scope",
      [{ host: "::", port: 1, tls: { cert: "a", key: "b", client_ca: "c", clients: { x: "root" } } }],
      "observe, answer, drive, admin",
    ],
    [
      "scopes without a client authority",
      [{ host: "::", port: 1, tls: { cert: "a", key: "b", clients: { x: "drive" } } }],
      "client_ca",
    ],
  ])("with %s are rejected", (_, listen, message) => {
    expect(() => settings({ listen })).toThrow(message);
  });

  test("accept loopback addresses, and certificate paths relative to the settings file", () => {
    const tls = {
      cert: "daemon.pem",
      key: "/etc/daemon.key",
      client_ca: "ca.pem",
      clients: { phone: "answer" },
    };
    const { config } = settings({
      listen: [
        { host: "127.0.0.2", port: 7433 },
        { host: "0.0.0.0", port: 7434, tls },
      ],
    });
    expect(config.listen).toEqual([
      { host: "127.0.0.2", port: 7433 },
      {
        host: "0.0.0.0",
        port: 7434,
        tls: {
          cert: join(folder, "daemon.pem"),
          key: "/etc/daemon.key",
          clientCa: join(folder, "ca.pem"),
          clients: new Map([["phone", "answer"]]),
        },
      },
    ]);
  });

  test.each<[string, (pair: Pair) => Pair, string]>([
    ["a missing certificate", (pair) => ({ ...pair, cert: "/nowhere/x.pem" }), "can't be read"],
    ["a key of another certificate", (pair) => ({ ...pair, key: people.phone.key }), "can't be used"],
    [
      "a key readable by everybody",
      (pair) => {
        chmodSync(pair.key, 0o644);
        return pair;
      },
      "chmod 600",
    ],
  ])("with %s keep the daemon from starting", async (_, spoil, message) => {
    const pair = spoil(makeCertificate(mkdtempSync(join(folder, "spoilt-")), "spoilt", authority));
    const listen = [{ host: "127.0.0.1", port: 0, tls: { ...pair, clients: new Map() } }];
    await expect(openVictim({ listen })).rejects.toThrow(message);
  });

  test("given by a program are checked as well", async () => {
    await expect(openVictim({ listen: [{ host: "0.0.0.0", port: 0 }] })).rejects.toThrow("needs TLS");
  });
});
