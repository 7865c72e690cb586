import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

const settings = (value: unknown) => {
  mkdirSync(home.state, { mode: 0o700, recursive: true });
  writeFileSync(join(home.state, "settings.json"), JSON.stringify(value), { mode: 0o600 });
};

describe("a daemon refuses to start, with the reason and exit code 78,", () => {
  test("if it would listen for other machines without TLS", async () => {
    settings({ daemon: { listen: [{ host: "0.0.0.0", port: 0 }] } });
    const { code, stderr } = await home.run(["daemon", "start"]);
    expect(stderr).toContain("daemon.listen[0].tls: expected");
    expect(stderr).toContain("without TLS, only 127.0.0.1 and ::1 are allowed, not 0.0.0.0");
    expect(code).toBe(78);
  }, 60_000);

  test("if the certificate is missing", async () => {
    settings({ daemon: { listen: [{ host: "0.0.0.0", port: 0, tls: { cert: "no.pem", key: "no.key" } }] } });
    const { code, stderr } = await home.run(["daemon", "start"]);
    expect(stderr).toContain(`${join(home.state, "no.pem")} can't be read`);
    expect(code).toBe(78);
  }, 60_000);

  test.each([
    ["daemon", "start"],
    ["run", "hello"],
  ])(
    "in a folder that others can enter: %s %s",
    async (...args) => {
      settings({});
      chmodSync(home.state, 0o755);
      const { code, stderr } = await home.run(args);
      expect(stderr).toContain(`chmod 700 ${home.state}`);
      expect(code).toBe(78);
      expect(readdirSync(home.state)).toEqual(["settings.json"]);
    },
    60_000,
  );
});

test("tokens are shown once, listed without their secrets, and revoked", async () => {
  await home.run(["daemon", "start", "--port", "0"]);
  const made = await home.run(["tokens", "create", "phone", "--scope", "answer", "--for", "12h"]);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("Shown only once") });
  const secret = made.stdout.trim();
  expect(secret).toMatch(/^aw_[0-9a-f]{16}_[\w-]{43}$/);
  const url = JSON.parse(readFileSync(join(home.state, "daemon.json"), "utf8")).addresses[1] as string;
  const ask = async (path: string) =>
    (
      await fetch(`${url}/agentwire.v1.${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
        body: "{}",
      })
    ).status;
  expect(await ask("SessionService/ListSessions")).toBe(200);
  expect(await ask("SessionService/CreateSession")).toBe(403);
  const listed = await home.run(["tokens"]);
  expect(listed.stdout).toMatch(/phone +answer +now +now +in 12 h/);
  expect(listed.stdout).not.toContain(secret.slice(20));
  expect((await home.run(["tokens", "revoke", "phone"])).stdout).toContain("revoked phone");
  expect(await ask("SessionService/ListSessions")).toBe(401);
  expect((await home.run(["tokens", "revoke", "phone"])).code).toBe(1);
  expect((await home.run(["tokens", "create", "x", "--for", "soon"])).code).toBe(2);
  // A revoked token frees its name.
  const again = JSON.parse((await home.run(["tokens", "create", "phone", "--json"])).stdout).token.id;
  expect(await home.run(["tokens", "create", "phone"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /there is already a token phone\n {2}choose another name, or revoke that one first: agentwire tokens revoke NAME/,
    ),
  });
  const short = again.slice(0, 8);
  await home.run(["tokens", "create", short]);
  expect(await home.run(["tokens", "revoke", short])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`2 tokens\\n {2}give one of these ids: .*${short} \\(phone, observe, created now\\)`),
    ),
  });
  const audit = await home.run(["audit"]);
  expect(audit.stdout).toMatch(
    /token +created .*phone: answer[\s\S]*login +let in +token phone[\s\S]*token +revoked/,
  );
  expect(await home.run(["audit", "verify"])).toMatchObject({ code: 0 });
}, 60_000);

/** Secrets that must not reach the daemon's files, through an agent's environment, output or errors. */
const SECRETS = {
  known: "correct-horse-battery-staple",
  key: "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789",
  bearer: "dGhpcyBpcyBhIHNlY3JldA",
  pem: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ",
};

test("secrets in an agent's output appear neither in the log nor in the reported error", async () => {
  const agent = join(home.folder, "leaky-agent");
  writeFileSync(
    agent,
    `#!/bin/sh
if [ "$1" = --version ]; then echo "2.1.325 (Claude Code)"; exit; fi
echo "failed with key ${SECRETS.key} and $MY_PASSWORD" >&2
echo "Authorization: Bearer ${SECRETS.bearer}" >&2
printf -- '-----BEGIN PRIVATE KEY-----\\n${SECRETS.pem}\\n-----END PRIVATE KEY-----\\n' >&2
echo "not json ${SECRETS.key} $MY_PASSWORD"
exit 1
`,
    { mode: 0o755 },
  );
  settings({
    default_agent: "leaky",
    agents: { leaky: { path: agent, env: { MY_PASSWORD: SECRETS.known } } },
  });
  expect((await home.run(["daemon", "start"])).code).toBe(0);
  await home.run(["run", "hello"]);
  const { stdout: list } = await home.run(["sessions", "--json"]);
  const [session] = JSON.parse(list).sessions as { id: string }[];
  const { stdout: events } = await home.run(["sessions", "export", "--json", session?.id ?? ""]);
  await home.run(["daemon", "stop"]);
  expect(events).toContain("failed with key [redacted] and [redacted]");
  const log = readFileSync(join(home.state, "daemon.log"), "utf8");
  expect(log).toContain("the daemon is listening");
  for (const secret of Object.values(SECRETS)) {
    expect(events).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
  expect(log).not.toContain(readFileSync(join(home.state, "token"), "utf8").trim());
  expect(statSync(join(home.state, "daemon.log")).mode & 0o777).toBe(0o600);
}, 60_000);
