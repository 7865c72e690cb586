import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAuthority, makeCertificate, type Pair } from "./certificates.ts";
import { openVictim, type Victim } from "./victim.ts";

let folder: string;
let authority: Pair;
let used: Pair;
let victim: Victim;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-renewal-"));
  authority = makeAuthority(folder, "authority");
  used = makeCertificate(folder, "first.example", authority);
  victim = await openVictim({
    listen: [{ host: "127.0.0.1", port: 0, tls: { ...used, clients: new Map() } }],
  });
  port = Number(new URL(victim.running.addresses[2] ?? "").port);
});
afterAll(async () => {
  await victim.end();
  rmSync(folder, { recursive: true });
});

async function meet(): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: "127.0.0.1",
    ca: readFileSync(authority.cert),
    checkServerIdentity: () => undefined,
  });
  await once(socket, "secureConnect");
  return socket;
}

const nameOf = (socket: TLSSocket) => socket.getPeerCertificate().subject.CN;

async function nameNow() {
  const socket = await meet();
  const name = nameOf(socket);
  socket.destroy();
  return name;
}

/** The status of an answer under a given host name. */
async function status(socket: TLSSocket, host: string): Promise<number> {
  const { token } = victim.running;
  socket.write(
    `POST /agentwire.v1.HealthService/GetVersion HTTP/1.1\r\nhost: ${host}:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(answer))?.[1]);
}

test("a new certificate is used for new connections without a restart, and existing connections continue", async () => {
  const before = await meet();
  expect(nameOf(before)).toBe("first.example");
  expect(await status(before, "first.example")).toBe(200);
  const next = makeCertificate(folder, "second.example", authority);
  copyFileSync(next.cert, used.cert);
  copyFileSync(next.key, used.key);
  expect(await nameNow()).toBe("first.example");
  victim.running.renew();
  const after = await meet();
  expect(nameOf(after)).toBe("second.example");
  expect(await status(after, "second.example")).toBe(200);
  expect(await status(before, "second.example")).toBe(200);
  expect(await status(after, "first.example")).toBe(403);
  for (const socket of [before, after]) socket.destroy();
});

test("an unusable certificate leaves the current one in use", async () => {
  const good = readFileSync(used.key);
  writeFileSync(used.key, "no key");
  victim.running.renew();
  expect(await nameNow()).toBe("second.example");
  writeFileSync(used.key, good);
});
