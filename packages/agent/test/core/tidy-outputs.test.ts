import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tidyOutputs } from "../../src/files/output-folder.ts";
import { startAgent } from "../process/agent-process.ts";
import { bash, newApi, UNASKED } from "../process/model-source.ts";
import { newPlace } from "../process/place.ts";
import { isResult, prompt } from "../process/wire.ts";

const OLD = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-tidy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ["nothing that was kept", "true", 0],
  ["an output too long for the conversation", "seq 20000", 1],
])("A session leaves its temporary folder only with something in it: %s", async (_what, command, left) => {
  const place = await newPlace();
  const api = await newApi({ steps: [{ content: [bash(command)] }, { text: "done" }] });
  const agent = startAgent(place, { env: api.env, args: UNASKED });
  agent.send(prompt("go"));
  await agent.line(isResult);
  agent.child.stdin.end();
  await agent.ended();
  expect(await readdir(join(place.cwd, "..", "tmp"))).toHaveLength(left);
});

test("Old sessions of the project go, new ones and those of other projects stay", async () => {
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

test("What is only linked to in our place is left alone", async () => {
  const [elsewhere, temporary] = [await newFolder(), await newFolder()];
  await mkdir(join(elsewhere, "mine/old"), { recursive: true });
  await utimes(join(elsewhere, "mine/old"), OLD, OLD);
  await symlink(elsewhere, join(temporary, "agentwire-0"));
  await tidyOutputs(join(temporary, "agentwire-0/mine/this/tasks"));
  expect(await readdir(join(elsewhere, "mine"))).toEqual(["old"]);
});
