import { once } from "node:events";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { debianProgram } from "../../../../test/debian.ts";
import { stutter } from "../../../../test/stutter.ts";
import { Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

test("a daemon starts in the background, reports its status, and stops", async () => {
  expect((await home.run(["daemon", "status"])).code).toBe(1);
  const started = await home.run(["daemon", "start"]);
  expect(started).toMatchObject({ code: 0, stderr: "" });
  expect(started.stdout).toContain("agentwire run");
  expect(statSync(join(home.state, "daemon.log")).mode & 0o777).toBe(0o600);

  const { code, stdout } = await home.run(["daemon", "status", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    running: true,
    pid: home.daemonPid,
    health: { status: "HEALTH_STATUS_SERVING" },
  });
  expect((await home.run(["daemon", "start"])).stdout).toContain("is already running");
  expect(await home.run(["daemon", "start", "--port", "0"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "a daemon is already running, but not on a port\n  run agentwire daemon stop",
    ),
  });

  const pid = home.daemonPid;
  expect(await home.run(["daemon", "stop"])).toMatchObject({ code: 0, stdout: "The daemon has stopped.\n" });
  expect(() => process.kill(pid, 0)).toThrow();
  expect((await home.run(["daemon", "stop"])).stdout).toContain("No daemon is running");
}, 60_000);

test("status lists shared processes, and doctor warns of a slow one", async () => {
  mkdirSync(home.state, { mode: 0o700 });
  const settings = { default_agent: "agentwire", agents: { agentwire: { sessions_per_process: 10 } } };
  writeFileSync(join(home.state, "settings.json"), JSON.stringify(settings));
  expect(await home.run(["run", "list ."])).toMatchObject({ code: 0 });
  const pid = await vi.waitFor(async () => {
    const { stdout } = await home.run(["daemon", "status"]);
    const row =
      /shared process +(\d+), \d sessions?, [1-9]\d* MB, largest session \d+ MB, event loop up to \d+ ms late/;
    expect(stdout).toMatch(row);
    return Number(row.exec(stdout)?.[1]);
  }, 20_000);
  const end = stutter(pid);
  try {
    await vi.waitFor(async () => {
      const { stdout } = await home.run(["doctor"]);
      expect(stdout).toMatch(
        /^warning {2}agents: process \d+ with \d sessions? did not respond for \d+ ms[\s\S]*sessions_per_process/m,
      );
    }, 30_000);
    await vi.waitFor(async () => {
      expect((await home.run(["daemon", "status"])).stdout).toMatch(/ms late: slow$/m);
    }, 30_000);
  } finally {
    end();
  }
}, 120_000);

test("a daemon in the foreground runs until it is stopped, and prints what to do next", async () => {
  const child = home.start(["daemon", "start", "--foreground", "--port", "0"]);
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  expect(String(text)).toMatch(
    /listens on .*daemon\.sock and http:\/\/127\.0\.0\.1:\d+\n[\s\S]*in another terminal/,
  );
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
}, 60_000);

test.each<[string, string, string, number]>([
  ["settings that are not JSON", "{", "is not JSON", 78],
  [
    "a number out of range",
    '{"daemon":{"port":99999}}',
    "daemon.port: expected a whole number from 0 to 65535, not 99999",
    78,
  ],
  ["an agent without a path", '{"agents":{"mine":{}}}', "agents.mine.path: expected a path", 78],
  [
    "an unknown default agent",
    '{"default_agent":"cloude"}',
    'unknown agent "cloude"; choose one of agentwire, claude',
    78,
  ],
])(
  "a daemon does not start with %s, and says why",
  async (_, settings, message, code) => {
    mkdirSync(home.state, { mode: 0o700 });
    writeFileSync(join(home.state, "settings.json"), settings);
    const refused = await home.run(["daemon", "start"]);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(message);
    expect((await home.run(["doctor"])).stdout).toContain(message);
  },
  60_000,
);

test.each([
  ["below /proc", () => "/proc/agentwire"],
  ["below a file", () => join(home.folder, "file", "state")],
  ["in place of a file", () => join(home.folder, "file")],
])(
  "a state folder that can't be created is reported at once with advice: %s",
  async (_, folder) => {
    writeFileSync(join(home.folder, "file"), "");
    const at = (...args: string[]) => home.run([...args, "--folder", folder()]);
    const told = await Promise.all([
      at("daemon", "start"),
      home.runAlone(["daemon", "start", "--foreground", "--folder", folder()]),
      at("daemon", "restore", "x.db"),
    ]);
    for (const outcome of told)
      expect(outcome).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(/can't be created [\s\S]*AGENTWIRE_HOME/),
      });
    expect(await at("daemon", "status")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("No daemon"),
    });
    const seen = expect.stringMatching(/^problem {2}(?:folder|disk)/m);
    expect(await at("doctor")).toMatchObject({ code: 1, stdout: seen });
  },
  30_000,
);

test("doctor reports whether an agent's sandbox is available, and what it is missing", async () => {
  debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
  debianProgram("socat", ["/usr/bin/socat"]);
  mkdirSync(home.state, { mode: 0o700 });
  const agents = {
    agentwire: { sandbox: true },
    poor: { path: "sh", env: { PATH: "/none" }, sandbox: true },
  };
  writeFileSync(join(home.state, "settings.json"), JSON.stringify({ agents }));
  const { stdout } = await home.run(["doctor"]);
  expect(stdout).toMatch(/^ok +agent agentwire \(default\): 2\.1\.\d+ at .*, in a sandbox$/m);
  expect(stdout).toMatch(
    /^problem +agent poor: .*bwrap, socat, bash, prlimit are missing; .* apt-get install bubblewrap socat/m,
  );
  expect(stdout).toMatch(/^ok +sandbox of commands: off \(it can be turned on: sandbox\.enabled\)$/m);

  const user = join(home.folder, ".claude");
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, "settings.json"), JSON.stringify({ sandbox: { enabled: true } }));
  const { stdout: twice } = await home.run(["doctor"]);
  expect(twice).toMatch(
    /^warning +sandbox of commands: the settings enable one, but agent agentwire itself/m,
  );
  const bin = join(home.state, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  writeFileSync(join(home.state, "settings.json"), "{}");
  const poor = await home.run(["doctor"], "", { PATH: bin });
  expect(poor.code).toBe(1);
  expect(poor.stdout).toMatch(
    /^problem +sandbox of commands: enabled, but not available: bwrap, socat are missing; .* apt-get install bubblewrap socat$/m,
  );
}, 60_000);

test("doctor finds the built-in agent, and files accessible to other users", async () => {
  await home.run(["daemon", "start"]);
  const well = await home.run(["doctor"]);
  expect(well.stdout).toMatch(/^ok +agent agentwire \(default\): 2\.1\.\d+/m);
  expect(well.stdout).toMatch(/^ok +daemon: /m);
  expect(well.code).toBe(0);
  chmodSync(join(home.state, "token"), 0o644);
  const ill = await home.run(["doctor", "--json"]);
  expect(ill.code).toBe(1);
  expect(JSON.parse(ill.stdout).findings).toContainEqual({
    level: "problem",
    about: "file",
    text: `other users can read ${join(home.state, "token")}`,
    advice: `chmod 600 ${join(home.state, "token")}`,
  });
}, 60_000);

test("doctor finds Agent Client Protocol agents on PATH, and prints their settings entries", async () => {
  const bin = join(home.folder, "bin");
  mkdirSync(bin, { recursive: true });
  const greeting = {
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    authMethods: [{ id: "gemini-api-key", name: "Key" }],
  };
  const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: greeting });
  writeFileSync(
    join(bin, "gemini"),
    `#!/bin/sh\n[ "$1" = --version ] && exec echo 0.61.0\nread line; echo '${answer}'; exec cat >/dev/null\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(bin, "qwen"), "#!/bin/sh\necho 0.24.4\n", { mode: 0o755 });
  const PATH = `${bin}:${process.env.PATH}`;
  mkdirSync(join(home.folder, ".qwen"), { recursive: true });
  writeFileSync(join(home.folder, ".qwen", "oauth_creds.json"), "{}");
  const { stdout } = await home.run(["doctor"], "", { PATH });
  expect(stdout).toContain(
    "no login found: run it once on its own to log in, or set a key; resumes earlier sessions, accepts images; auth_method is one of gemini-api-key",
  );
  expect(stdout).toContain("logged in; does not answer protocol clients");
  expect(stdout).toContain(`gemini v0.61.0 detected (Agent Client Protocol) at ${bin}/gemini`);
  expect(stdout).toContain('"gemini": {"path":"gemini","args":["--acp"],"dialect":"acp"}');
});
