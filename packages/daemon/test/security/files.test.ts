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
/** Acting as another user takes root, and setpriv. */
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

describe("the daemon's folder", () => {
  test("and all files in it are accessible to its user only", async () => {
    await start();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(new Set(Object.values(modes()))).toEqual(new Set(["600"]));
    expect(Object.keys(modes())).toEqual(expect.arrayContaining(["agentwire.db", "daemon.sock", "token"]));
  }, 30_000);

  test.each([0o755, 0o750, 0o770, 0o777, 0o701])(
    "is refused if others can enter it, and the error says what to do: %o",
    async (mode) => {
      mkdirSync(state);
      writeFileSync(join(state, "settings.json"), "{}");
      chmodSync(state, mode);
      await expect(start()).rejects.toThrow(`chmod 700 ${state}`);
      expect(readdirSync(state)).toEqual(["settings.json"]);
    },
  );

  test("is closed to others if it is empty", async () => {
    mkdirSync(state);
    chmodSync(state, 0o777);
    await start();
    expect(statSync(state).mode & 0o777).toBe(0o700);
  }, 30_000);

  test("has files that others can read closed to them, with a warning", async () => {
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
  /** Calls curl as another user. */
  const asNobody = (...args: string[]) =>
    promisify(execFile)("setpriv", [
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      "--clear-groups",
      "curl",
      "-sS",
      ...args,
    ]);

  test("can't use the socket, nor read the token or the store", async () => {
    const { addresses } = await start();
    chmodSync(folder, 0o755);
    const [socket = ""] = addresses;
    await expect(asNobody("--unix-socket", socket, "http://x/")).rejects.toThrow(/Permission denied|connect/);
    for (const name of ["token", "agentwire.db"])
      await expect(asNobody(`file://${join(state, name)}`)).rejects.toThrow(/Couldn't open file/i);
  }, 30_000);

  test("can't use the socket even if the folder was opened while the daemon runs", async () => {
    const { addresses } = await start();
    chmodSync(folder, 0o755);
    chmodSync(state, 0o755);
    const [socket = ""] = addresses;
    await expect(asNobody("--unix-socket", socket, "http://x/")).rejects.toThrow(/connect/);
  }, 30_000);

  test("is rejected on the port without the token", async () => {
    const { addresses } = await start();
    const url = `${addresses[1]}/agentwire.v1.SessionService/ListSessions`;
    const { stdout } = await asNobody("-H", "content-type: application/json", "-d", "{}", url);
    expect(JSON.parse(stdout)).toMatchObject({ code: "unauthenticated" });
  }, 30_000);

  test("can't plant a folder, or a file in it, for the daemon to use", async () => {
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, NOBODY, NOBODY);
    await expect(start()).rejects.toThrow("belongs to another user");
    chownSync(state, 0, 0);
    writeFileSync(join(state, "token"), "planted\n");
    chownSync(join(state, "token"), NOBODY, NOBODY);
    await expect(start()).rejects.toThrow("belongs to another user");
  });
});
