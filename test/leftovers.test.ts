import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundled } from "./bundled.ts";

const RUN = fileURLToPath(new URL("leftovers-run.mjs", import.meta.url));

test("a test run that is killed leaves no process behind, not even one that outlives its parent", async () => {
  const run = spawn(process.execPath, [await bundled(RUN)], { stdio: ["pipe", "pipe", "inherit"] });
  const [pid] = (await once(run.stdout, "data")) as [Buffer];
  const left = `/proc/${String(pid).trim()}`;
  expect(existsSync(left)).toBe(true);
  run.kill("SIGKILL");
  await expect.poll(() => existsSync(left), { timeout: 20_000 }).toBe(false);
});
