import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Log } from "@agentwire/protocol/support";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

const NOBODY = 65_534;
/** Becoming somebody else takes root, and a program for it. */
const canBeOthers = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;

let folder: string;
let state: string;
let running: RunningDaemon | undefined;
const warnings: unknown[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-files-"));
  state = join(folder, "state");
  warnings.length = 0;
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

async function start(): Promise<RunningDaemon> {
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: state };
  const note = (text: string, fields: unknown) => void warnings.push([text, fields]);
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note };
  running = await startDaemon({ ...defaultConfig(env, folder), port: 0 }, log);
  return running;
}

const modes = () =>
  Object.fromEntries(
    readdirSync(state).map((name) => [name, (statSync(join(state, name)).mode & 0o777).toString(8)]),
  );

describe("the folder", () => {
  test("and all that a daemon puts there belong to its user alone", async () => {
    await start();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(new Set(Object.values(modes()))).toEqual(new Set(["600"]));
    expect(Object.keys(modes())).toEqual(expect.arrayContaining(["agentwire.db", "daemon.sock", "token"]));
  }, 30_000);

  test.each([0o755, 0o750, 0o770, 0o777, 0o701])(
    "that others can enter is refused, with what to do: %o",
    async (mode) => {
      mkdirSync(state);
      writeFileSync(join(state, "settings.json"), "{}");
      chmodSync(state, mode);
      await expect(start()).rejects.toThrow(`chmod 700 ${state}`);
      expect(readdirSync(state)).toEqual(["settings.json"]);
    },
  );

  test("that is empty is closed to others", async () => {
    mkdirSync(state);
    chmodSync(state, 0o777);
    await start();
    expect(statSync(state).mode & 0o777).toBe(0o700);
  }, 30_000);

  test("has files in it that others could read closed to them, and says so", async () => {
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, "token"), "a-token-that-was-open\n", { mode: 0o644 });
    chmodSync(join(state, "token"), 0o644);
    await start();
    expect(modes().token).toBe("600");
    expect(warnings).toContainEqual([
      expect.stringContaining("accessible to other users"),
      { path: join(state, "token") },
    ]);
  }, 30_000);
});

describe.skipIf(!canBeOthers)("another user", () => {
  /** Talks to a socket as somebody else. */
  const asNobody = (...args: string[]) =>
    promisify(execFile)("setpriv", [
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      "--clear-groups",
      "curl",
      "-sS",
      ...args,
    ]);

  test("can't talk to the socket, nor read the token, the store or the log", async () => {
    const { addresses } = await start();
    chmodSync(folder, 0o755);
    const [socket = ""] = addresses;
    await expect(asNobody("--unix-socket", socket, "http://x/")).rejects.toThrow(/Permission denied|connect/);
    for (const name of ["token", "agentwire.db"])
      await expect(asNobody(`file://${join(state, name)}`)).rejects.toThrow(/Couldn't open file/i);
  }, 30_000);

  test("can't talk to the socket even where the folder was opened while the daemon runs", async () => {
    const { addresses } = await start();
    chmodSync(folder, 0o755);
    chmodSync(state, 0o755);
    const [socket = ""] = addresses;
    await expect(asNobody("--unix-socket", socket, "http://x/")).rejects.toThrow(/connect/);
  }, 30_000);

  test("gets nothing at the port without the token", async () => {
    const { addresses } = await start();
    const url = `${addresses[1]}/agentwire.v1.SessionService/ListSessions`;
    const { stdout } = await asNobody("-H", "content-type: application/json", "-d", "{}", url);
    expect(JSON.parse(stdout)).toMatchObject({ code: "unauthenticated" });
  }, 30_000);

  test("has no folder of theirs used, nor a file of theirs in ours", async () => {
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, NOBODY, NOBODY);
    await expect(start()).rejects.toThrow("belongs to another user");
    chownSync(state, 0, 0);
    writeFileSync(join(state, "token"), "planted\n");
    chownSync(join(state, "token"), NOBODY, NOBODY);
    await expect(start()).rejects.toThrow("belongs to another user");
  });
});
