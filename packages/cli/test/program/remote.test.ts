import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAuthority, makeCertificate, type Pair } from "../../../daemon/test/security/certificates.ts";
import { Home } from "./home.ts";

let home: Home;
let phone: Pair;
/** Addresses of one daemon: with TLS, with TLS and client certificates, with neither. */
let secure: string;
let mutual: string;
let plain: string;
/** The default environment of the program. */
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  home = new Home();
  mkdirSync(home.state, { mode: 0o700 });
  const authority = makeAuthority(home.folder, "authority");
  const server = makeCertificate(home.folder, "daemon", authority, "DNS:localhost,IP:127.0.0.1");
  phone = makeCertificate(home.folder, "phone", authority);
  const clients = { phone: "drive" };
  const listen = [
    { host: "0.0.0.0", port: 0, tls: server },
    { host: "127.0.0.1", port: 0, tls: { ...server, client_ca: authority.cert, clients } },
    { host: "127.0.0.1", port: 0 },
  ];
  writeFileSync(join(home.state, "settings.json"), JSON.stringify({ daemon: { listen } }));
  const { stdout } = await home.run(["daemon", "start", "--json"]);
  const [, ...addresses] = (JSON.parse(stdout) as { addresses: string[] }).addresses;
  [secure = "", mutual = "", plain = ""] = addresses.map((address) =>
    address.replace("0.0.0.0", "127.0.0.1"),
  );
  const made = await home.run(["tokens", "create", "laptop", "--scope", "drive", "--json"]);
  const token = join(home.folder, "token");
  writeFileSync(token, `${(JSON.parse(made.stdout) as { secret: string }).secret}\n`, { mode: 0o600 });
  env = {
    AGENTWIRE_HOME: join(home.folder, "nothing-here"),
    AGENTWIRE_ADDRESS: secure,
    AGENTWIRE_TOKEN_FILE: token,
    AGENTWIRE_CA: authority.cert,
  };
}, 60_000);
afterAll(() => home.end());

const there = (...args: string[]) => home.run(args, "", env);

describe("a remote daemon", () => {
  test("works like a local one: run, sessions, rules, explain, usage, status, doctor", async () => {
    const ran = await there("run", "hello");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("offline demo") });
    expect(ran.stderr).not.toContain("started a daemon");
    const { sessions } = JSON.parse((await there("sessions", "--json")).stdout);
    expect(sessions).toHaveLength(1);
    expect(await there("run", "--continue", "hello again")).toMatchObject({ code: 0 });
    expect(await there("sessions", "show", sessions[0].id)).toMatchObject({ code: 0 });
    expect(await there("rules", "allow", "Bash(ls)", "--scope", "user")).toMatchObject({ code: 0 });
    expect(await there("explain", "Bash", "ls")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("allow"),
    });
    expect(await there("usage")).toMatchObject({ code: 0 });
    expect(await there("daemon", "status")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(secure),
    });
    expect(await there("doctor")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`answers at ${secure}`),
    });
  }, 120_000);

  test("is chosen by options, which override the environment", async () => {
    const options = ["--address", mutual, "--cert", phone.cert, "--key", phone.key];
    expect(
      await home.run(["sessions", ...options], "", { ...env, AGENTWIRE_ADDRESS: "https://127.0.0.1:1" }),
    ).toMatchObject({
      code: 0,
    });
    // A folder names the local daemon, whatever the environment says.
    expect(await there("daemon", "status", "--folder", home.state)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("daemon.sock"),
    });
  }, 60_000);

  const refusals: [string, () => string[], NodeJS.ProcessEnv, number, RegExp][] = [
    ["no token", () => [], { AGENTWIRE_TOKEN_FILE: "" }, 1, /the daemon requires a token/],
    ["a wrong token", () => ["--token", "wrong"], {}, 1, /this token is wrong[\s\S]*--token-file/],
    ["no authority", () => [], { AGENTWIRE_CA: "" }, 1, /not signed by a trusted authority[\s\S]*--ca FILE/],
    [
      "a name that is not in its certificate",
      () => ["--address", secure.replace("127.0.0.1", "127.0.0.2")],
      {},
      1,
      /is for another name/,
    ],
    [
      "no client certificate where one is required",
      () => ["--address", mutual],
      {},
      1,
      /requires a client certificate/,
    ],
    [
      "TLS where there is none",
      () => ["--address", plain.replace("http:", "https:")],
      {},
      1,
      /does not use TLS/,
    ],
    [
      "an address where nothing listens",
      () => ["--address", "https://127.0.0.1:1"],
      {},
      1,
      /no daemon answers at https:\/\/127.0.0.1:1/,
    ],
    ["http to another machine", () => ["--address", "http://build.example:1"], {}, 2, /unencrypted/],
    ["an invalid address", () => ["--address", "ftp://x"], {}, 2, /is not the address of a daemon/],
    ["a missing file", () => ["--ca", "nope.pem"], {}, 1, /--ca: ENOENT/],
    ["both a folder and an address", () => ["--address", secure, "--folder", "x"], {}, 2, /not both/],
  ];
  test.each(refusals)(
    "is not reached with %s, and the error says why",
    async (_, options, changes, code, text) => {
      const outcome = await home.run(["sessions", ...options()], "", { ...env, ...changes });
      expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(text) });
    },
  );

  test.each(["--token-file", "--key"])(
    "is not sent a secret that everybody can read: %s",
    async (option) => {
      const file = join(home.folder, "open-secret");
      writeFileSync(file, "secret");
      chmodSync(file, 0o644);
      expect(await there("sessions", option, file)).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(/everyone on this machine can read [\s\S]*chmod 600/),
      });
      chmodSync(file, 0o640);
      expect((await there("sessions", option, file)).stderr).not.toContain("everyone");
    },
    60_000,
  );

  test.each([
    [["daemon", "start"], /names a remote one/],
    [["daemon", "stop"], /names a remote one/],
    [["daemon", "reload"], /names a remote one/],
    [["daemon", "restore", "x.db"], /names a remote one/],
    [["daemon", "backup", "x.db"], /absolute path/],
    [["run", "--cwd", "here", "hello"], /absolute path/],
    [["rules", "allow", "Bash(ls)"], /needs a folder/],
  ])(
    "is not mistaken for the local one by %j",
    async (args, text) => {
      expect(await there(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(text) });
    },
    30_000,
  );

  test("reports what a token may not do, and creates links that lead to it", async () => {
    expect(await there("web")).toMatchObject({ code: 1, stderr: expect.stringContaining("scope admin") });
    const token = join(home.state, "token");
    const { stdout } = await there("web", "--token-file", token);
    expect(stdout).toMatch(new RegExp(`^${secure}/`));
    const file = join(home.folder, "backup.db");
    expect(await there("daemon", "backup", file, "--token-file", token)).toMatchObject({ code: 0 });
    rmSync(file);
  }, 60_000);
});
