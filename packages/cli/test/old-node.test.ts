import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire", import.meta.url));

const run = (version: string) => {
  const versions = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(versions)}`, PROGRAM, "--version"];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
};

test.each(["18.20.4", "20.14.0"])("Node %s is told which release is needed", (version) => {
  const { status, stderr, stdout } = run(version);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(`agentwire needs Node 20.15 or newer, and this is ${version}: update it\n`);
});

test.each(["20.15.0", "22.0.0"])("Node %s is new enough", (version) => {
  expect(run(version)).toMatchObject({ status: 0, stderr: "" });
});
