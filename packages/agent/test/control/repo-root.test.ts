import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { answer, answers, asks, is, isResult, prompt, request } from "../wire.ts";

async function newAgent() {
  const place = await newPlace();
  await mkdir(join(place.cwd, "repo/.claude/skills/knots"), { recursive: true });
  await writeFile(join(place.cwd, "repo/CLAUDE.md"), "Speak like a sailor.");
  await writeFile(
    join(place.cwd, "repo/.claude/skills/knots/SKILL.md"),
    "---\ndescription: Knots\n---\nTie.",
  );
  await symlink("/", join(place.cwd, "everything"));
  const api = await newApi({ steps: [], whenExhausted: { text: "aye" } });
  const agent = openAgent(place, { env: api.env });
  let count = 0;
  const register = async (directory: string, more: JsonObject = {}) => {
    const id = `r${count++}`;
    agent.send(request(id, "register_repo_root", { directory, ...more }));
    return (await agent.line(answers(id))).response as JsonObject;
  };
  return { place, api, agent, register };
}

describe("register_repo_root", { timeout: 30_000 }, () => {
  test("adds a repository with its notes and skills, and runs the hooks", async () => {
    const { place, api, agent, register } = await newAgent();
    agent.send(
      request("hello", "initialize", { hooks: { DirectoryAdded: [{ hookCallbackIds: ["added"] }] } }),
    );
    const repo = join(place.cwd, "repo");
    agent.onLine = (line) => {
      if (asks("hook_callback")(line)) agent.send(answer(line.request_id, {}));
    };
    const reloads = { reload_claude_md: true, reload_skills: true };
    expect(await register("repo", reloads)).toMatchObject({ subtype: "success" });
    expect(await agent.line(asks("hook_callback"))).toMatchObject({
      request: { callback_id: "added", input: { directory: repo, source: "register_repo_root" } },
    });
    agent.send(prompt("go"));
    await agent.line(isResult);
    expect(agent.lines.find(is("system", "init"))).toMatchObject({
      additional_directories: [repo],
      skills: ["knots"],
    });
    expect(JSON.stringify(api.requests[0]?.body)).toContain("Speak like a sailor.");
    expect(await register(repo)).toMatchObject({
      subtype: "error",
      error: expect.stringContaining("already"),
    });
  });

  test.each([
    ["is not there", "nowhere"],
    ["is the project itself", "."],
    ["lies outside", "/"],
    ["leads outside", "everything"],
    ["climbs out", "repo/../.."],
  ])("refuses a folder that %s", async (_what, directory) => {
    const { register } = await newAgent();
    expect(await register(directory)).toMatchObject({ subtype: "error" });
  });
});
