import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../bin/agentwire", import.meta.url));

/** Starts the program with a property of the process changed. */
const startedWith = (name: "versions" | "platform", value: string) => {
  const code = `Object.defineProperty(process,"${name}",{value:${value}})`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(code)}`, PROGRAM, "--version"];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
};
const run = (version: string) => startedWith("versions", `{...process.versions,node:"${version}"}`);

test.each(["18.20.4", "20.14.0"])("Node %s is refused with the release that is needed", (version) => {
  const { status, stderr, stdout } = run(version);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(`agentwire needs Node 20.15 or newer, and this is ${version}: update it\n`);
});

test.each(["20.15.0", "22.0.0"])("Node %s is new enough", (version) => {
  expect(run(version)).toMatchObject({ status: 0, stderr: "" });
});

test("Windows is refused with an alternative", () => {
  const { status, stderr, stdout } = startedWith("platform", '"win32"');
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe("agentwire does not run on Windows: run it in WSL 2 (wsl --install)\n");
});

test("macOS is not refused", () => {
  expect(startedWith("platform", '"darwin"')).toMatchObject({ status: 0, stderr: "" });
});
