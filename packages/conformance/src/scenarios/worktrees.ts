import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Sandbox } from "../agent-driver/sandbox.ts";
import { calls, says } from "../scripted-api/script.ts";
import { BYPASS, prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

/** Makes the project a repository with one commit, on the branch main. */
export async function commitAll({ cwd }: Sandbox): Promise<void> {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false"];
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message=first"],
  ])
    await promisify(execFile)("git", args, { cwd });
}

const FILES = { "a.txt": "one\n" };

/** Worktrees for sessions and subagents. */
export const worktrees: Theme = {
  name: "worktrees",
  scenarios: [
    {
      name: "worktree-keep",
      about:
        "EnterWorktree creates a worktree and moves the session there; ExitWorktree with keep leaves it on disk",
      args: BYPASS,
      files: FILES,
      prepare: commitAll,
      steps: [
        calls("EnterWorktree", { name: "wt" }, "toolu_w1"),
        calls(
          "Bash",
          { command: "pwd; git branch --show-current; git status --short", description: "Show where" },
          "toolu_b1",
        ),
        calls("ExitWorktree", { action: "keep" }, "toolu_w2"),
        calls(
          "Bash",
          { command: "pwd; git branch --list; git status --short", description: "Show where" },
          "toolu_b2",
        ),
        says("Back."),
      ],
      flow: async ({ agent, project }) => {
        await agent.turn("work in a worktree");
        return { kept: project.exists(".claude/worktrees/wt/a.txt") };
      },
      expect: { facts: { kept: true } },
    },
    {
      name: "worktree-remove-refused",
      about: "ExitWorktree does not remove a worktree with changes unless discard_changes is set",
      args: BYPASS,
      files: FILES,
      prepare: commitAll,
      steps: [
        calls("EnterWorktree", { name: "wt" }, "toolu_w1"),
        calls("Bash", { command: "echo two > b.txt", description: "Write a file" }, "toolu_b1"),
        calls("ExitWorktree", { action: "remove" }, "toolu_w2"),
        calls("ExitWorktree", { action: "remove", discard_changes: true }, "toolu_w3"),
        says("Gone."),
      ],
      flow: async ({ agent, project }) => {
        await agent.turn("work in a worktree");
        return { kept: project.exists(".claude/worktrees/wt") };
      },
      expect: { facts: { kept: false } },
    },
    {
      name: "worktree-mistakes",
      about:
        "EnterWorktree and ExitWorktree refuse invalid names, a second worktree, and leaving without having entered one",
      args: BYPASS,
      files: FILES,
      prepare: commitAll,
      steps: [
        calls("ExitWorktree", { action: "keep" }, "toolu_w1"),
        calls("EnterWorktree", { name: "../out" }, "toolu_w2"),
        calls("EnterWorktree", { name: "wt", path: "/tmp" }, "toolu_w3"),
        calls("EnterWorktree", { path: "/tmp" }, "toolu_w4"),
        calls("EnterWorktree", { name: "a/b" }, "toolu_w5"),
        calls("EnterWorktree", { name: "other" }, "toolu_w6"),
        says("Enough."),
      ],
      flow: prompts("work in a worktree"),
    },
    {
      name: "worktree-no-repository",
      about: "EnterWorktree fails without a git repository or a hook that creates the folder",
      args: BYPASS,
      files: FILES,
      steps: [calls("EnterWorktree", { name: "wt" }, "toolu_w1"), says("None.")],
      flow: prompts("work in a worktree"),
    },
    {
      name: "worktree-permission",
      about: "entering and leaving a worktree needs no permission",
      files: FILES,
      prepare: commitAll,
      steps: [
        calls("EnterWorktree", { name: "wt" }, "toolu_w1"),
        calls("ExitWorktree", { action: "remove" }, "toolu_w2"),
        says("Back."),
      ],
      flow: prompts("work in a worktree"),
    },
    {
      name: "worktree-flag",
      about: "--worktree starts the session in a worktree with that name",
      args: [...BYPASS, "--worktree", "wt"],
      files: FILES,
      prepare: commitAll,
      steps: [
        calls("Bash", { command: "pwd; git branch --show-current", description: "Show where" }, "toolu_b1"),
        says("There."),
      ],
      flow: async ({ agent, project }) => {
        await agent.turn("where are you?");
        return { made: project.exists(".claude/worktrees/wt/a.txt") };
      },
      expect: { facts: { made: true } },
    },
    {
      name: "worktree-subagent",
      about:
        "a subagent with isolation works in a separate worktree, which is kept if the subagent changed something",
      args: BYPASS,
      files: FILES,
      prepare: commitAll,
      steps: [
        calls(
          "Agent",
          {
            description: "Write a file",
            prompt: "subagent: write b.txt",
            subagent_type: "general-purpose",
            isolation: "worktree",
            run_in_background: false,
          },
          "toolu_a1",
        ),
        calls("Bash", { command: "echo two > b.txt", description: "Write a file" }, "toolu_b1"),
        says("Written."),
        says("Done."),
      ],
      flow: async ({ agent, project }) => {
        await agent.turn("delegate");
        return { written: project.exists("b.txt") };
      },
      expect: { facts: { written: false } },
    },
  ],
};
