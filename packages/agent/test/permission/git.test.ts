import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRig, outcome, put } from "./rig.ts";

const PLAIN = `[core]
\trepositoryformatversion = 0
\tfilemode = true
[remote "origin"]
\turl = https://example.org/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
`;

describe("a git command that only shows something", () => {
  test.each([
    "git status",
    "git log --oneline main..HEAD -- sub/b.txt",
    "git diff | head -5",
    "git branch -a",
  ])("runs without a question if it can't start other programs: %s", async (command) => {
    const rig = await makeRig();
    expect(await outcome(rig, "Bash", { command })).toBe("allow");
    put(join(rig.project, ".git/config"), PLAIN);
    expect(await outcome(rig, "Bash", { command })).toBe("allow");
  });

  test.each([
    ["a monitor", ".git/config", `${PLAIN}[core]\n\tfsmonitor = ./evil\n`],
    ["a pager", ".git/config", `${PLAIN}[pager]\n\tlog = ./evil\n`],
    ["an alias", ".git/config", `${PLAIN}[alias]\n\tstatus = !evil\n`],
    ["a diff program", ".git/config", `${PLAIN}[diff "x"]\n\ttextconv = ./evil\n`],
    ["another file", ".git/config", `${PLAIN}[include]\n\tpath = ../evil\n`],
    ["a section and its key on one line", ".git/config", "[core] fsmonitor = ./evil\n"],
    ["a continued line", ".git/config", '[remote "x"]\n\turl = a\\\n[core]\n'],
    ["a hook", ".git/hooks/post-index-change", "evil"],
    ["a working tree elsewhere", ".git", "gitdir: ../elsewhere"],
    ["a folder that is itself a repository", "HEAD", "ref: refs/heads/main"],
  ])("is asked about if the repository may make it run others, by %s", async (_what, name, text) => {
    const rig = await makeRig();
    put(join(rig.project, name), text);
    expect(await outcome(rig, "Bash", { command: "git status" })).toBe("ask");
  });
});

describe("a command that first changes to a folder of the project", () => {
  test.each([
    "cd sub && ls",
    "cd sub && cat b.txt | wc -l",
    "cd ./sub; cat b.txt",
    "cd sub && ls -la && pwd",
  ])("runs without a question if the rest does: %s", async (command) => {
    expect(await outcome(await makeRig(), "Bash", { command })).toBe("allow");
  });
});

describe("git and cd commands that leave the project or do more", () => {
  test.each([
    "git -C sub status",
    "git diff --no-index a.txt b.txt",
    "git diff /etc/passwd a.txt",
    "git log --output=x",
    "git branch new",
    "cd sub && git status",
    "cd .. && ls",
    "cd way-out && cat secret.txt",
    "cd sub && cat ../../outside/secret.txt",
    "cd && ls",
    "cd - && ls",
    "ls && cd sub && cat b.txt",
  ])("are asked about: %s", async (command) => {
    expect(await outcome(await makeRig(), "Bash", { command })).toBe("ask");
  });
});
