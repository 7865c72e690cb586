import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isOwnOutputFolder,
  makeOutputFolder,
  outputFolder,
  tidyOutputs,
} from "../../src/files/output-folder.ts";
import { keepIn } from "../../src/mcp/keep-file.ts";
import { OutputFiles } from "../../src/tools/bash/output-files.ts";
import { startAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

const NOBODY = 65_534;
const OLD = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
const isRoot = process.getuid?.() === 0;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-outputs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = async (path: string) => (await lstat(path)).mode & 0o777;
const outermost = (folder: string) => dirname(dirname(dirname(folder)));

test("every output folder of a session is private, regardless of the umask", async () => {
  const temporary = await newFolder();
  const folder = outputFolder(temporary, "-my-project", "some-session");
  makeOutputFolder(folder);
  for (let at = folder; at !== temporary; at = dirname(at)) expect(await modeOf(at)).toBe(0o700);
  expect(isOwnOutputFolder(folder)).toBe(true);
});

test("output folders left accessible by an earlier release become private", async () => {
  const folder = outputFolder(await newFolder(), "-my-project", "some-session");
  await mkdir(folder, { recursive: true });
  await chmod(outermost(folder), 0o777);
  makeOutputFolder(folder);
  expect([await modeOf(outermost(folder)), await modeOf(folder)]).toEqual([0o700, 0o700]);
});

test("output files are readable only by this user", async () => {
  const folder = outputFolder(await newFolder(), "-my-project", "some-session");
  const kept = await keepIn(folder, "mcp-result")("a long result", "txt");
  const files = new OutputFiles(folder, "b1.output");
  onTestFinished(() => files.close());
  expect([await modeOf(kept), await modeOf(files.path)]).toEqual([0o600, 0o600]);
});

test.each([0, 1, 2, 3])(
  "a link in the place of folder %i is refused, and nothing is written through it",
  async (level) => {
    const [temporary, elsewhere] = [await newFolder(), await newFolder()];
    const folder = outputFolder(temporary, "-my-project", "some-session");
    const place = [outermost(folder), dirname(dirname(folder)), dirname(folder), folder][level] ?? folder;
    await mkdir(dirname(place), { recursive: true });
    await symlink(elsewhere, place);
    expect(() => new OutputFiles(folder, "b1.output")).toThrow(/CLAUDE_CODE_TMPDIR/);
    await expect(keepIn(folder, "x")("text", "txt")).rejects.toThrow(/not a folder owned by this user/);
    expect(isOwnOutputFolder(folder)).toBe(false);
    expect(await readdir(elsewhere)).toEqual([]);
  },
);

test.runIf(isRoot)("a folder that another user created first is refused", async () => {
  const folder = outputFolder(await newFolder(), "-my-project", "some-session");
  await mkdir(outermost(folder));
  await chown(outermost(folder), NOBODY, NOBODY);
  expect(() => makeOutputFolder(folder)).toThrow(/not a folder owned by this user/);
  expect(await readdir(outermost(folder))).toEqual([]);
});

test("an agent tells the model why a command can't run if its output folder is a link", async () => {
  const place = await newPlace();
  const temporary = join(place.cwd, "..", "tmp");
  const elsewhere = await newFolder();
  await mkdir(temporary, { recursive: true });
  await symlink(elsewhere, join(temporary, `agentwire-${process.getuid?.() ?? 0}`));
  const api = await newApi({ steps: [{ content: [bash("echo ran > ran.txt")] }, { text: "done" }] });
  const agent = startAgent(place, { env: api.env, args: UNASKED });
  agent.send(prompt("go"));
  const told = await agent.line((line) => JSON.stringify(line).includes("tool_result"));
  expect(JSON.stringify(told)).toMatch(/not a folder owned by this user.*CLAUDE_CODE_TMPDIR/);
  await agent.line(isResult);
  agent.child.stdin.end();
  await agent.ended();
  expect(await readdir(elsewhere)).toEqual([]);
  await expect(stat(join(place.cwd, "ran.txt"))).rejects.toThrow(/ENOENT/);
});

test.each([
  ["nothing that was kept", "true", 0],
  ["an output too long for the conversation", "seq 20000", 1],
])(
  "a session removes its temporary folder unless it contains something: %s",
  async (_what, command, left) => {
    const place = await newPlace();
    const api = await newApi({ steps: [{ content: [bash(command)] }, { text: "done" }] });
    const agent = startAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    await agent.line(isResult);
    agent.child.stdin.end();
    await agent.ended();
    expect(await readdir(join(place.cwd, "..", "tmp"))).toHaveLength(left);
  },
);

test("outputs of old sessions of the project are removed; those of new ones and of other projects stay", async () => {
  const base = join(await newFolder(), "agentwire-0");
  for (const name of ["mine/old", "mine/new", "other/old"]) {
    await mkdir(join(base, name, "tasks"), { recursive: true });
    await writeFile(join(base, name, "tasks/out.txt"), "x");
  }
  for (const name of ["mine/old", "other/old"]) await utimes(join(base, name), OLD, OLD);
  await tidyOutputs(join(base, "mine/this/tasks"));
  expect(await readdir(join(base, "mine"))).toEqual(["new"]);
  expect(await readdir(join(base, "other"))).toEqual(["old"]);
});

test("nothing behind a link in place of our folder is removed", async () => {
  const [elsewhere, temporary] = [await newFolder(), await newFolder()];
  await mkdir(join(elsewhere, "mine/old"), { recursive: true });
  await utimes(join(elsewhere, "mine/old"), OLD, OLD);
  await symlink(elsewhere, join(temporary, "agentwire-0"));
  await tidyOutputs(join(temporary, "agentwire-0/mine/this/tasks"));
  expect(await readdir(join(elsewhere, "mine"))).toEqual(["old"]);
});
