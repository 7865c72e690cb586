import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Home, python } from "./home.ts";

const LISTENER = fileURLToPath(new URL("../notify-socket.py", import.meta.url));
const NOTIFIER = "systemd-notify";
/** A stand-in for systemd-notify where that is not installed. */
const STAND_IN = `#!${python()} -IS
import os, socket, sys
sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sender.sendto("\\n".join(sys.argv[1:]).encode(), os.environ["NOTIFY_SOCKET"])
`;

type News = Readonly<Record<string, string>>;

let home: Home;
let listener: ChildProcess;
let lines: NodeJS.AsyncIterator<string>;
beforeEach(async () => {
  home = new Home();
  listener = spawn(python(), [LISTENER, join(home.folder, "notify")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  lines = createInterface({ input: listener.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("listening");
});
afterEach(async () => {
  listener.kill();
  await home.end();
});

/** The next message to systemd, skipping watchdog messages or everything else. */
async function hear(isWatchdog = false): Promise<News> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error("systemd hears nothing more");
    const news = JSON.parse(value) as News;
    if ("WATCHDOG" in news === isWatchdog) return news;
  }
}

function serve(env: NodeJS.ProcessEnv = {}): ChildProcess {
  const folder = join(home.folder, "bin");
  mkdirSync(folder);
  const isThere = spawnSync(NOTIFIER, ["--version"]).status === 0;
  if (!isThere) writeFileSync(join(folder, NOTIFIER), STAND_IN, { mode: 0o755 });
  const PATH = `${folder}:${process.env.PATH}`;
  const child = home.start(["daemon", "start", "--foreground"], {
    PATH,
    NOTIFY_SOCKET: join(home.folder, "notify"),
    ...env,
  });
  child.stderr?.resume();
  return child;
}

describe("systemd", () => {
  test("is notified when the daemon is ready, reloads its settings, and stops, in that order", async () => {
    const child = serve();
    const ended = once(child, "close");
    expect(await hear()).toMatchObject({
      READY: "1",
      MAINPID: String(child.pid),
      STATUS: expect.stringContaining(join(home.state, "daemon.sock")),
    });
    for (let i = 0; i < 3; i++) {
      child.kill("SIGHUP");
      expect(await hear()).toEqual({ RELOADING: "1", MONOTONIC_USEC: expect.stringMatching(/^\d+$/) });
      expect(await hear()).toMatchObject({ READY: "1", STATUS: "settings reloaded" });
    }
    child.kill("SIGTERM");
    expect(await hear()).toEqual({ STOPPING: "1" });
    expect(await ended).toEqual([0, null]);
  }, 90_000);

  test("receives watchdog messages if it requests them", async () => {
    serve({ WATCHDOG_USEC: "1000000" });
    await hear();
    expect(await hear(true)).toEqual({ WATCHDOG: "1" });
    expect(await hear(true)).toEqual({ WATCHDOG: "1" });
  }, 60_000);

  test("receives no watchdog messages if they are requested from another process", async () => {
    const child = serve({ WATCHDOG_USEC: "200000", WATCHDOG_PID: "1" });
    await hear();
    child.kill("SIGTERM");
    // Any watchdog message would have arrived before this one.
    for await (const line of { [Symbol.asyncIterator]: () => lines }) {
      expect(JSON.parse(line)).not.toHaveProperty("WATCHDOG");
      if (line.includes("STOPPING")) break;
    }
  }, 60_000);
});
