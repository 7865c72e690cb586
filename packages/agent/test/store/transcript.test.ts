import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { gitBranch } from "../../src/store/git-branch.ts";
import { openAgent } from "../agent-process.ts";
import { bash, newApi, UNASKED } from "../model-source.ts";
import { newPlace } from "../place.ts";
import { isResult, prompt } from "../wire.ts";

describe("the file of a session", { timeout: 30_000 }, () => {
  test("has the final stop reason and usage on every line of a reply", async () => {
    const place = await newPlace();
    await mkdir(join(place.cwd, ".git"));
    await writeFile(join(place.cwd, ".git/HEAD"), "ref: refs/heads/topic/one\n");
    const api = await newApi({
      steps: [{ content: [{ type: "text", text: "so" }, bash("echo hi")] }],
      whenExhausted: { text: "done" },
    });
    const agent = openAgent(place, { env: api.env, args: UNASKED });
    agent.send(prompt("go"));
    await agent.line(isResult);
    const projects = join(place.configDir, "projects");
    const [project = ""] = await readdir(projects);
    const [file = ""] = await readdir(join(projects, project));
    const text = await readFile(join(projects, project, file), "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line): JsonObject => JSON.parse(line));
    const replies = lines.filter(({ type }) => type === "assistant").map(({ message }) => message);
    const usage = { input_tokens: 100, output_tokens: 20 };
    expect(replies).toMatchObject([
      { stop_reason: "tool_use", usage },
      { stop_reason: "tool_use", usage },
      { stop_reason: "end_turn", usage },
    ]);
    expect(lines.map(({ type }) => type)).toEqual([
      "user",
      "assistant",
      "assistant",
      "user",
      "assistant",
      "cost-state",
    ]);
    expect(lines[0]).toMatchObject({ gitBranch: "topic/one", entrypoint: "sdk-cli" });
    // The wire has neither of them on a line of a reply that continues.
    expect(agent.lines.find((line) => line.type === "assistant")).toMatchObject({
      message: { stop_reason: null, usage: { output_tokens: 1 } },
    });
  });

  test.each([
    { what: "a branch", head: "ref: refs/heads/main\n", named: "main" },
    { what: "a commit", head: "0123456789abcdef0123456789abcdef01234567\n", named: "HEAD" },
    { what: "nothing", head: undefined, named: "HEAD" },
  ])("contains the branch if $what is checked out: $named", async ({ head, named }) => {
    const { cwd } = await newPlace();
    const below = join(cwd, "a/b");
    await mkdir(below, { recursive: true });
    if (head !== undefined) {
      await mkdir(join(cwd, "store/worktrees/w"), { recursive: true });
      await writeFile(join(cwd, "store/worktrees/w/HEAD"), head);
      await writeFile(join(cwd, ".git"), "gitdir: store/worktrees/w\n");
    }
    expect(gitBranch(below)).toBe(named);
  });
});
