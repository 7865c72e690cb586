import { execFile } from "node:child_process";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, test } from "vitest";
import { finishProcess } from "../agent-process.ts";
import { playing } from "../model-source.ts";
import { newPlace } from "../place.ts";

const AGENT = fileURLToPath(new URL("../../", import.meta.url));
const GREP = { content: [{ type: "tool_use" as const, name: "Grep", input: { pattern: "two" } }] };

/** The result of a Grep call of an agent that was installed without its dependencies, with this PATH. */
async function grepWith(programs: readonly string[]): Promise<string> {
  const place = await newPlace();
  const installed = join(dirname(place.cwd), "agent");
  const path = join(dirname(place.cwd), "path");
  for (const part of ["bin", "dist", "package.json"])
    await cp(join(AGENT, part), join(installed, part), { recursive: true });
  await mkdir(path);
  for (const program of programs) await symlink(program, join(path, "rg"));
  await writeFile(join(place.cwd, "f.txt"), "one\ntwo\n");
  const flags = await playing(place, { steps: [GREP, { text: "done" }] });
  const args = [...flags, "-p", "--output-format", "stream-json", "--verbose", "search"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(installed, "bin/agentwire-agent"), ...args],
    { cwd: place.cwd, env: { ...place.env, PATH: path } },
  );
  return stdout;
}

test("the installed ripgrep is found by a Node that can't load ES modules from the bundle, as before 20.19", async () => {
  const place = await newPlace();
  await writeFile(join(place.cwd, "f.txt"), "one\ntwo\n");
  const flags = await playing(place, { steps: [GREP, { text: "done" }] });
  const args = [...flags, "-p", "--output-format", "stream-json", "--verbose", "search"];
  const env = { PATH: "", NODE_OPTIONS: "--no-experimental-require-module" };
  expect((await finishProcess(place, { args, env })).stdout).toContain("Found 1 file\\nf.txt");
});

describe("an agent without the package of ripgrep", () => {
  test("uses the rg on PATH", async () => {
    expect(await grepWith([rgPath])).toContain("Found 1 file\\nf.txt");
  });

  test("says what to install if there is none", async () => {
    expect(await grepWith([])).toContain("ripgrep is missing");
  });
});
