import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DAEMON = fileURLToPath(new URL("./daemon-process.mjs", import.meta.url));
/** Starts a daemon as these tests do, and prints its process id once it is listening. */
const RUNNER = `
  const daemon = require("node:child_process").spawn(process.execPath, process.argv.slice(1), {
    stdio: ["pipe", "pipe", "inherit"],
  });
  daemon.stdout.once("data", () => process.stdout.write(String(daemon.pid)));`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a daemon exits when the test runner that started it is killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-orphan-"));
  const runner = spawn(process.execPath, ["-e", RUNNER, DAEMON, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [said] = (await once(runner.stdout, "data")) as [Buffer];
    const daemon = Number(said);
    expect(isAlive(daemon)).toBe(true);
    runner.kill("SIGKILL");
    for (let i = 0; i < 300 && isAlive(daemon); i++) await delay(100);
    expect(isAlive(daemon)).toBe(false);
  } finally {
    runner.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}, 60_000);
