import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorktreeEnd, WorktreeState } from "@agentwire/api";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, scriptedAgent, type Talk } from "./daemon-bench.ts";

const MANY = 10;

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trimEnd();
}

/** A bench whose project is a repository with one commit on the branch main. */
function openRepository(): Bench {
  const bench = openBench();
  const { project } = bench;
  git(project, "init", "--quiet", "--initial-branch=main");
  git(project, "config", "user.name", "Ann");
  git(project, "config", "user.email", "ann@example.com");
  git(project, "config", "commit.gpgSign", "false");
  writeFileSync(join(project, "a.txt"), "one\n");
  git(project, "add", "--all");
  git(project, "commit", "--quiet", "--message=first");
  return bench;
}

/** A new session in a worktree of that name. */
async function createIn(talk: Talk, cwd: string, name: string, agent = "") {
  const wish = { cwd, agent, permissionMode: "acceptEdits", worktree: { name } };
  const { session } = await talk.sessions.createSession(wish);
  const { path = "", branch = "" } = session?.worktree ?? {};
  return { id: session?.id ?? "", path, branch, session };
}

const merge = (sessionId: string, commitMessage = "") => ({
  sessionId,
  end: WorktreeEnd.MERGE,
  commitMessage,
});

describe("sessions in worktrees", { timeout: 120_000 }, () => {
  test("ten at once in one repository do not interfere, and are merged one after the other", async () => {
    const { project, open } = openRepository();
    const talk = await open({ maxProcesses: MANY });
    const names = Array.from({ length: MANY }, (_, i) => `task-${i}`);
    const sessions = await Promise.all(names.map((name) => createIn(talk, project, name)));
    await Promise.all(sessions.map(({ id }, i) => talk.turn(id, `write \`work ${i}\` to file-${i}.txt`)));
    for (const [i, { path, branch }] of sessions.entries()) {
      expect(git(path, "status", "--short")).toBe(`?? file-${i}.txt`);
      expect(git(path, "branch", "--show-current")).toBe(branch);
    }
    expect(git(project, "status", "--short")).toBe("");
    for (const { id } of sessions) await talk.sessions.endWorktree(merge(id, "done"));
    const files = names.map((_, i) => readFileSync(join(project, `file-${i}.txt`), "utf8").trim());
    expect(files).toEqual(names.map((_, i) => `work ${i}`));
    expect(git(project, "status", "--short")).toBe("");
    expect(git(project, "branch", "--list")).toBe("* main");
    expect(git(project, "worktree", "list").split("\n")).toHaveLength(1);
    expect(git(project, "log", "--no-merges", "--format=%s").split("\n")).toHaveLength(MANY + 1);
  });

  test("show their branch and changes, and end only if nothing is lost", async () => {
    const { project, open } = openRepository();
    const talk = await open();
    const { sessions } = talk;
    const { id, path, session } = await createIn(talk, project, "fix/it");
    expect(session?.worktree).toMatchObject({
      path: join(project, ".claude/worktrees/fix+it"),
      branch: "worktree-fix+it",
      base: "main",
      checkout: project,
      state: WorktreeState.OPEN,
    });
    expect(session?.cwd).toBe(path);
    await talk.turn(id, "write `two` to a.txt");
    const work = await sessions.getWorktree({ sessionId: id });
    expect(work).toMatchObject({
      currentBranch: "worktree-fix+it",
      files: [{ path: "a.txt", insertions: 1, deletions: 1 }],
      uncommitted: ["a.txt"],
      unmergedCommits: 0,
    });
    expect(work.patch).toContain("+two");
    const remove = { sessionId: id, end: WorktreeEnd.REMOVE };
    await expect(sessions.endWorktree(remove)).rejects.toThrow(/WORKTREE_REFUSED: .*not committed: a\.txt/);
    await expect(sessions.endWorktree(merge(id))).rejects.toThrow(/give a message/);
    await expect(sessions.endWorktree({ sessionId: id })).rejects.toThrow(/choose KEEP, MERGE or REMOVE/);
    writeFileSync(join(project, "a.txt"), "mine\n");
    await expect(sessions.endWorktree(merge(id, "two"))).rejects.toThrow(
      /where main is checked out, has changes/,
    );
    git(project, "commit", "--quiet", "--all", "--message=mine");
    await expect(sessions.endWorktree(merge(id, "two"))).rejects.toThrow(/conflicts with main in a\.txt/);
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("mine\n");
    expect(git(project, "status", "--short")).toBe("");
    const kept = await sessions.endWorktree({ sessionId: id, end: WorktreeEnd.KEEP });
    expect(kept.worktree?.state).toBe(WorktreeState.OPEN);
    expect(existsSync(path)).toBe(true);
    const gone = await sessions.endWorktree({ ...remove, discard: true });
    expect(gone.worktree?.state).toBe(WorktreeState.REMOVED);
    expect(existsSync(path)).toBe(false);
    await expect(sessions.sendPrompt({ sessionId: id, text: "go on" })).rejects.toThrow(/was removed/);
    expect((await sessions.getSession({ sessionId: id })).session?.worktree?.state).toBe(
      WorktreeState.REMOVED,
    );
  });

  test("are rewound together with changes made by commands", async () => {
    const { project, open } = openRepository();
    const talk = await open();
    const { id, path } = await createIn(talk, project, "back");
    await talk.sessions.setMode({ sessionId: id, permissionMode: "bypassPermissions" });
    const { events } = await talk.turn(id, "run `rm a.txt; echo x > b.txt`");
    const prompts = events.flatMap(({ body }) => (body.case === "promptChange" ? [body.value.promptId] : []));
    const [promptId = ""] = prompts;
    expect([existsSync(join(path, "a.txt")), existsSync(join(path, "b.txt"))]).toEqual([false, true]);
    await talk.sessions.rewind({ sessionId: id, promptId });
    expect([existsSync(join(path, "a.txt")), existsSync(join(path, "b.txt"))]).toEqual([true, false]);
  });

  test("are refused for a folder outside a repository, an invalid name, and another session's worktree", async () => {
    const { project, folder, open } = openRepository();
    const talk = await open();
    await createIn(talk, project, "mine");
    await expect(createIn(talk, project, "mine")).rejects.toThrow(/mine belongs to the session/);
    await expect(createIn(talk, project, "../out")).rejects.toThrow(/INVALID_ARGUMENT: worktree: .*name/);
    await expect(createIn(talk, folder, "x")).rejects.toThrow(/not in a git repository/);
    const id = await talk.create();
    await expect(talk.sessions.getWorktree({ sessionId: id })).rejects.toThrow(/has no worktree/);
    await expect(talk.sessions.endWorktree(merge(id))).rejects.toThrow(/has no worktree/);
  });

  test("are created once per key, and outlive the daemon", async () => {
    const { project, open } = openRepository();
    const first = await open();
    const wish = { cwd: project, worktree: { name: "" }, idempotencyKey: "k" };
    const both = await Promise.all([first.sessions.createSession(wish), first.sessions.createSession(wish)]);
    const [one, two] = both.map(({ session }) => session);
    expect(one?.id).toBe(two?.id);
    expect(git(project, "worktree", "list").split("\n")).toHaveLength(2);
    await first.running.stop();
    const second = await open();
    const { session } = await second.sessions.getSession({ sessionId: one?.id ?? "" });
    expect(session?.worktree).toEqual(one?.worktree);
  });

  test("work with agents that do not know about worktrees", async () => {
    const bench = openRepository();
    const steps = [
      { hear: { type: "user" } },
      { say: { type: "result", subtype: "success", is_error: false, result: "hi" } },
      { hear: "end" },
    ];
    const talk = await bench.open({ agents: [scriptedAgent(bench, "2.1.325 (Claude Code)", steps)] });
    const { id, path } = await createIn(talk, bench.project, "other");
    await talk.turn(id, "hello");
    writeFileSync(join(path, "b.txt"), "by the agent\n");
    await talk.sessions.endWorktree(merge(id, "b"));
    expect(readFileSync(join(bench.project, "b.txt"), "utf8")).toBe("by the agent\n");
  });
});
