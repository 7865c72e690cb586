import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Home } from "./home.ts";

const LIMITER = "prlimit";

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

test("a relative state folder is the same one for the daemon", async () => {
  const env = { AGENTWIRE_HOME: "here" };
  expect(await home.run(["run", "hello"], "", env)).toMatchObject({ code: 0 });
  expect(statSync(join(home.project, "here", "daemon.sock")).isSocket()).toBe(true);
  expect(await home.run(["daemon", "stop"], "", env)).toMatchObject({ code: 0 });
}, 60_000);

test.each([
  ["no home", { HOME: "", XDG_STATE_HOME: "" }, /No daemon is running in \//],
  ["a relative state home", { XDG_STATE_HOME: "states" }, /agentwire-cli-\w+\/\.local\/state/],
])("%s in the environment is handled", async (_, env, told) => {
  const outcome = await home.run(["daemon", "status"], "", { AGENTWIRE_HOME: "", ...env });
  expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(told) });
});

test("a deleted current directory is reported, and help works in it", async () => {
  const inDeleted = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  expect(await home.shell(inDeleted, ["run", "hello"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the current directory no longer exists"),
  });
  expect(await home.shell(inDeleted, ["--help"])).toMatchObject({ code: 0 });
});

test("a full output device is reported in one line", async () => {
  expect(await home.shell('exec "$@" > /dev/full', ["daemon", "status"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^agentwire: can't write the output: ENOSPC.*\n$/),
  });
  expect(await home.shell('exec "$@" > /dev/full 2> /dev/full', ["daemon", "status"])).toMatchObject({
    code: 1,
  });
});

test("a daemon started twice at once runs once, and both calls report it", async () => {
  const told = await Promise.all([
    home.run(["daemon", "start", "--json"]),
    home.run(["daemon", "start", "--json"]),
  ]);
  expect(told.map(({ code }) => code)).toEqual([0, 0]);
  const states = told.map(({ stdout }) => (JSON.parse(stdout) as { state: string }).state).sort();
  expect(states).toEqual(["running", "started"]);
}, 60_000);

test("a daemon whose socket was removed is reported, and can be stopped", async () => {
  await home.run(["daemon", "start"]);
  const pid = home.daemonPid;
  rmSync(join(home.state, "daemon.sock"));
  // In separate processes, so that none reuses an earlier connection.
  const told = { code: 1, stderr: expect.stringContaining(`(process ${pid}) does not answer`) };
  expect(await home.runAlone(["run", "hello"])).toMatchObject(told);
  expect(await home.runAlone(["daemon", "start"])).toMatchObject(told);
  expect(await home.runAlone(["daemon", "status"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("stop it: agentwire daemon stop"),
  });
  expect(await home.runAlone(["daemon", "stop"])).toMatchObject({
    code: 0,
    stdout: "The daemon has stopped.\n",
  });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
}, 60_000);

test("a log that can't be opened is reported with advice", async () => {
  mkdirSync(join(home.state, "daemon.log"), { recursive: true });
  chmodSync(home.state, 0o700);
  expect(await home.run(["daemon", "start"])).toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/can't be used: EISDIR[\s\S]*AGENTWIRE_HOME/),
  });
}, 30_000);

/** Acting as another user takes root, and setpriv. */
const canBeOthers = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;
describe("with one daemon", () => {
  let shared: Home;
  beforeAll(async () => {
    shared = new Home();
    await shared.run(["daemon", "start"]);
  });
  afterAll(() => shared.end());

  test("a daemon survives a full log, and logs again when there is room", async () => {
    const limitFiles = (bytes: number | string) =>
      execFileSync(LIMITER, ["--pid", String(shared.daemonPid), `--fsize=${bytes}:`]);
    const log = join(shared.state, "daemon.log");
    const lines = () => readFileSync(log, "utf8").trimEnd().split("\n");
    const before = lines().length;
    const limit = statSync(log).size + 20;
    limitFiles(limit);
    expect(await shared.run(["daemon", "reload"])).toMatchObject({ code: 0 });
    await expect.poll(() => statSync(log).size, { timeout: 10_000 }).toBe(limit);
    expect(await shared.run(["daemon", "status"])).toMatchObject({ code: 0 });
    limitFiles("unlimited");
    await shared.run(["daemon", "reload"]);
    await expect.poll(() => lines().at(-1), { timeout: 10_000 }).toMatch(/^\{.*settings were reloaded.*\}$/);
    expect(lines().length).toBeGreaterThan(before);
  }, 60_000);

  test("run --continue can change the mode of a session, and refuses options that can't change", async () => {
    await shared.run(["run", "hello"]);
    expect(await shared.run(["run", "--continue", "--mode", "plan", "hello"])).toMatchObject({ code: 0 });
    const { sessions } = JSON.parse((await shared.run(["sessions", "--json"])).stdout);
    expect(sessions).toMatchObject([{ permissionMode: "plan" }]);
    for (const options of [
      ["--continue", "--agent", "claude"],
      ["--continue", "--session", sessions[0].id],
      ["--session", sessions[0].id, "--cwd", "."],
    ])
      expect(await shared.run(["run", ...options, "hello"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("can't be combined with"),
      });
  }, 60_000);

  test.skipIf(!canBeOthers)(
    "a daemon of another user is reported as such",
    async () => {
      chmodSync(shared.folder, 0o755);
      const asNobody = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"';
      const told = expect.stringContaining("that daemon belongs to another user");
      expect(await shared.shell(asNobody, ["run", "hello"])).toMatchObject({ code: 1, stderr: told });
      expect(await shared.shell(asNobody, ["doctor"])).toMatchObject({ code: 1, stdout: told });
    },
    30_000,
  );
});
