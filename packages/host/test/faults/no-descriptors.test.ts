import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hostProgram } from "../programs/host-program.ts";

test("a start without file descriptors left is a named error, and the host survives", {
  timeout: 30_000,
}, async () => {
  const program = await hostProgram(
    `import { closeSync, openSync } from "node:fs";
     const start = () => openLink({ command: "sh", args: ["-c", "exit 0"], env: process.env }, {}).ended;
     const held = [];
     try {
       for (;;) held.push(openSync("/dev/null", "r"));
     } catch {}
     const { error } = await start();
     for (const file of held) closeSync(file);
     const next = await start();
     process.stdout.write(JSON.stringify([error.code, error.cause.code, next.exitCode]));`,
  );
  const limited = ["-c", 'ulimit -n 200; exec "$0" "$1"', process.execPath, program];
  const { stdout } = await promisify(execFile)("sh", limited);
  expect(JSON.parse(stdout)).toEqual(["spawn_failed", "EMFILE", 0]);
});
