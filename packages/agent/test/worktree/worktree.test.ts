import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptReply } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import { describe, expect, test } from "vitest";
import { openAgent } from "../agent-process.ts";
import { newApi } from "../model-source.ts";
import { newPlace, type Place } from "../place.ts";
import { answers, isResult, prompt, request } from "../wire.ts";

const BYPASS = ["--permission-mode", "bypassPermissions"];
const use = (name: string, input: JsonObject): ScriptReply => ({
  content: [{ type: "tool_use", name, input }],
});
const bash = (command: string) => use("Bash", { command });

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trimEnd();
}

/** A place whose project is a repository with one commit. */
async function newRepository(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): Promise<Place> {
  const place = await newPlace();
  git(place.cwd, "init", "--quiet", "--initial-branch=main");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(place.cwd, name, ".."), { recursive: true });
    await writeFile(join(place.cwd, name), text);
  }
  git(place.cwd, "add", "--all");
  git(place.cwd, "commit", "--quiet", "--message=first");
  return place;
}

/** Plays one prompt with these replies of the model, and returns the agent's lines. */
async function play(place: Place, steps: readonly ScriptReply[], args: readonly string[] = BYPASS) {
  const api = await newApi({ steps, whenExhausted: { text: "done" } });
  const agent = openAgent(place, { env: api.env, args });
  agent.send(prompt("go"));
  const result = await agent.line(isResult);
  agent.input.end();
  const end = await agent.ended();
  const results = agent.lines
    .filter((line) => line.type === "user" && line.parent_tool_use_id === null)
    .map((line) => line.tool_use_result);
  return { agent, api, result, results, end };
}

const worktreesIn = ({ cwd }: Place) =>
  readdirSync(join(cwd, ".claude/worktrees")).filter((name) => name !== ".gitignore");

describe("a subagent in a worktree", { timeout: 60_000 }, () => {
  const delegate = (subagent_type: string) =>
    use("Agent", { description: "Work", prompt: "do it", subagent_type, run_in_background: false });

  test("works there as its definition says, and the worktree is removed if nothing was changed in it", async () => {
    const place = await newRepository({
      "a.txt": "one\n",
      ".claude/agents/alone.md": "---\ndescription: Works alone\nisolation: worktree\n---\nYou work alone.",
    });
    const steps = [
      delegate("alone"),
      bash("pwd"),
      { text: "looked" },
      delegate("alone"),
      bash("echo two > b.txt"),
    ];
    const { results } = await play(place, steps, [...BYPASS, "--trust"]);
    const [idle, busy] = results as JsonObject[];
    expect(idle).not.toHaveProperty("worktreePath");
    expect(busy).toMatchObject({ worktreeBranch: expect.stringMatching(/^worktree-agent-/) });
    const path = String(busy?.worktreePath);
    expect(existsSync(join(path, "b.txt"))).toBe(true);
    expect(existsSync(join(place.cwd, "b.txt"))).toBe(false);
    expect(worktreesIn(place)).toHaveLength(1);
  });
});

describe("subagents of subagents", { timeout: 60_000 }, () => {
  const nest = use("Agent", { description: "Deeper", prompt: "go on", run_in_background: false });

  test("may be nested up to a depth at which no more are offered", async () => {
    const place = await newPlace();
    const api = await newApi({
      steps: [nest, nest, { text: "deep" }, { text: "middle" }],
      whenExhausted: { text: "top" },
    });
    const env = { ...api.env, CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: "2" };
    const agent = openAgent(place, { env, args: BYPASS });
    agent.send(prompt("go"));
    expect(await agent.line(isResult)).toMatchObject({ result: "top" });
    agent.input.end();
    await agent.ended();
    const started = agent.lines.filter((line) => line.subtype === "task_started");
    expect(started.map((line) => line.spawn_depth)).toEqual([1, 2]);
    const hasAgent = api.requests.map(({ body }) =>
      ((body.tools ?? []) as JsonObject[]).some(({ name }) => name === "Agent"),
    );
    expect(hasAgent).toEqual([true, true, false, true, true]);
    expect(JSON.stringify(api.requests[3]?.body.messages)).toContain("deep");
  });
});

describe("a session in a worktree", { timeout: 60_000 }, () => {
  test("continues there when it is resumed, and may then remove it", async () => {
    const place = await newRepository();
    const { agent } = await play(place, [use("EnterWorktree", { name: "wt" })]);
    const id = String(agent.lines.find((line) => line.subtype === "init")?.session_id);
    const steps = [bash("pwd"), use("ExitWorktree", { action: "remove" })];
    const again = await play(place, steps, [...BYPASS, "--resume", id]);
    const [shown, left] = again.results as JsonObject[];
    expect(shown?.stdout).toBe(join(place.cwd, ".claude/worktrees/wt"));
    expect(left).toMatchObject({ action: "remove", restoredCwd: place.cwd, discardedFiles: 0 });
    expect(worktreesIn(place)).toEqual([]);
  });

  test("continues in the original folder if the worktree is gone, and says so", async () => {
    const place = await newRepository();
    const { agent } = await play(place, [use("EnterWorktree", { name: "wt" })]);
    const id = String(agent.lines.find((line) => line.subtype === "init")?.session_id);
    git(place.cwd, "worktree", "remove", ".claude/worktrees/wt");
    const again = await play(place, [bash("pwd")], [...BYPASS, "--resume", id]);
    expect((again.results[0] as JsonObject).stdout).toBe(place.cwd);
    expect(again.agent.lines.find((line) => line.subtype === "informational")?.content).toContain("worktree");
  });

  test("is not left by cd: after a command that leaves it, the shell returns", async () => {
    const place = await newRepository();
    const steps = [use("EnterWorktree", { name: "wt" }), bash("cd /"), bash("pwd")];
    const { results } = await play(place, steps);
    expect((results[2] as JsonObject).stdout).toBe(join(place.cwd, ".claude/worktrees/wt"));
  });

  test("may be in a folder that a hook's command has printed, and the hook for its removal is notified", async () => {
    const place = await newPlace();
    const made = join(place.cwd, "made by hook");
    const told = join(place.cwd, "told.json");
    const command = (text: string) => [{ hooks: [{ type: "command", command: text }] }];
    const hooks = {
      WorktreeCreate: command(`mkdir '${made}'; echo making; echo '${made}'`),
      WorktreeRemove: command(`cat > '${told}'; rmdir '${made}'`),
    };
    const steps = [use("EnterWorktree", { name: "wt" }), use("ExitWorktree", { action: "remove" })];
    const { results } = await play(place, steps, [...BYPASS, "--settings", JSON.stringify({ hooks })]);
    expect(results[0]).toMatchObject({ worktreePath: made });
    expect(JSON.parse(execFileSync("cat", [told], { encoding: "utf8" }))).toMatchObject({
      worktree_path: made,
    });
    expect(existsSync(made)).toBe(false);
  });
});

describe("a rewind in a worktree", { timeout: 60_000 }, () => {
  const env = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" };

  test("restores what commands have changed, except ignored files, and can be undone", async () => {
    const place = await newRepository({ ".gitignore": "*.log\n", "a.txt": "one\n", "gone.txt": "there\n" });
    git(place.cwd, "worktree", "add", "--quiet", ".claude/worktrees/wt");
    const cwd = join(place.cwd, ".claude/worktrees/wt");
    writeFileSync(join(cwd, "untracked.txt"), "mine\n");
    const steps = [
      bash("echo two > a.txt; echo new > new.txt; rm gone.txt; echo noise > x.log; rm untracked.txt"),
      { text: "done" },
      bash(
        "git add --all && git -c user.name=A -c user.email=a@b commit --quiet --message=second; echo 3 > a.txt",
      ),
      { text: "done" },
    ];
    const api = await newApi({ steps, whenExhausted: { text: "done" } });
    const agent = openAgent({ ...place, cwd }, { env: { ...api.env, ...env }, args: BYPASS });
    const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
    for (const uuid of ids) {
      const from = agent.lines.length;
      agent.send(prompt("go", { uuid }));
      await agent.line(isResult, from);
    }
    const rewind = async (user_message_id: string | undefined, dry_run: boolean) => {
      const request_id = `r${Math.random()}`;
      agent.send(request(request_id, "rewind_files", { user_message_id, dry_run }));
      const { response } = await agent.line(answers(request_id));
      return (response as JsonObject).response as JsonObject;
    };
    const read = () =>
      Object.fromEntries(
        readdirSync(cwd)
          .filter((name) => name !== ".git" && name !== ".gitignore")
          .map((name) => [name, readFileSync(join(cwd, name), "utf8").trim()]),
      );
    const before = read();
    expect(before).toEqual({ "a.txt": "3", "new.txt": "new", "x.log": "noise" });
    const told = await rewind(ids[0], true);
    expect(told).toMatchObject({ canRewind: true, insertions: 3, deletions: 2 });
    const changed = ["a.txt", "gone.txt", "new.txt", "untracked.txt"].map((name) => join(cwd, name));
    expect((told.filesChanged as string[]).toSorted()).toEqual(changed);
    expect(await rewind(ids[0], false)).toEqual({ canRewind: true, skippedLinks: 0 });
    expect(read()).toEqual({
      "a.txt": "one",
      "gone.txt": "there",
      "untracked.txt": "mine",
      "x.log": "noise",
    });
    expect(git(cwd, "log", "-1", "--format=%s")).toBe("second");
    await rewind(ids[1], false);
    expect(read()).toEqual({ "a.txt": "two", "new.txt": "new", "x.log": "noise" });
    agent.input.end();
    await agent.ended();
    expect(git(place.cwd, "for-each-ref", "--format=%(refname)", "refs/agentwire").split("\n")).toHaveLength(
      1,
    );
  });

  test("stores nothing outside a worktree", async () => {
    const place = await newRepository();
    const api = await newApi({ steps: [bash("echo two > a.txt")], whenExhausted: { text: "done" } });
    const agent = openAgent(place, { env: { ...api.env, ...env }, args: BYPASS });
    agent.send(prompt("go"));
    await agent.line(isResult);
    agent.input.end();
    await agent.ended();
    expect(git(place.cwd, "for-each-ref", "refs/agentwire")).toBe("");
  });
});

describe("--worktree", { timeout: 60_000 }, () => {
  test("is refused outside a repository, with the reason", async () => {
    const place = await newPlace();
    const agent = openAgent(place, { args: ["--worktree", "wt"] });
    const { code } = await agent.ended();
    expect(code).toBe(1);
    expect(agent.complaints()).toMatch(/--worktree: .*not a git repository/);
  });

  test("without a name generates one, from origin's branch, complete and without links unless the settings say otherwise", async () => {
    const place = await newRepository({ "a.txt": "one\n", "src/b.txt": "b\n", "docs/c.txt": "c\n" });
    await mkdir(join(place.cwd, "node_modules"));
    await writeFile(join(place.cwd, "node_modules/x.js"), "x\n");
    await writeFile(join(place.cwd, ".gitignore"), "/node_modules\n");
    git(place.cwd, "update-ref", "refs/remotes/origin/main", "HEAD");
    git(place.cwd, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    writeFileSync(join(place.cwd, "local.txt"), "local\n");
    git(place.cwd, "add", "--all");
    git(place.cwd, "commit", "--quiet", "--message=local");
    const worktree = { baseRef: "head", symlinkDirectories: ["node_modules"], sparsePaths: ["src"] };
    const settings = JSON.stringify({ worktree });
    const fresh = await play(place, [bash("ls")], [...BYPASS, "--worktree"]);
    const look = bash("ls; cat node_modules/x.js; readlink node_modules; git status --short");
    const head = await play(place, [look], [...BYPASS, "--settings", settings, "--worktree"]);
    expect((fresh.results[0] as JsonObject).stdout).toBe("a.txt\ndocs\nsrc");
    const linked = join(place.cwd, "node_modules");
    expect((head.results[0] as JsonObject).stdout).toBe(`a.txt\nlocal.txt\nnode_modules\nsrc\nx\n${linked}`);
    expect(worktreesIn(place)).toHaveLength(2);
  });
});
