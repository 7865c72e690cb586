import type { Command } from "../command.ts";

export const WORKTREE: Command = {
  name: "worktree",
  summary: "shows, merges and removes the worktrees of sessions",
  details: `A session started with --worktree works in its own checkout, .claude/worktrees/NAME, on the branch worktree-NAME.
SESSION is an id or the beginning of one.`,
  examples: [
    'agentwire run --worktree fix-login "fix the login test"',
    "agentwire worktree diff 3f2a91c0",
    "agentwire worktree merge 3f2a91c0 --commit 'fix the login test'",
  ],
  subcommands: [
    {
      name: "show",
      summary: "shows the branch of a session's worktree and the files that differ from its base",
      args: "SESSION",
      count: [1, 1],
      examples: ["agentwire worktree show 3f2a91c0"],
      run: async (call) => (await import("../worktree/show.ts")).show(call),
    },
    {
      name: "diff",
      summary: "prints the differences from the base as a patch",
      args: "SESSION",
      count: [1, 1],
      examples: ["agentwire worktree diff 3f2a91c0 | less"],
      run: async (call) => (await import("../worktree/show.ts")).diff(call),
    },
    {
      name: "keep",
      summary: "ends the agent and keeps the worktree and its branch",
      args: "SESSION",
      count: [1, 1],
      examples: ["agentwire worktree keep 3f2a91c0"],
      run: async (call) => (await import("../worktree/end.ts")).keep(call),
    },
    {
      name: "merge",
      summary: "merges the work into the base branch and removes the worktree",
      args: "SESSION",
      count: [1, 1],
      details: `The base is the branch that was checked out when the session began; it must be checked out and have
no uncommitted changes. If the work conflicts with it, nothing is changed.`,
      options: [
        {
          name: "commit",
          value: "MESSAGE",
          summary: "commits uncommitted changes first, with this message",
        },
      ],
      examples: ["agentwire worktree merge 3f2a91c0 --commit 'fix the login test'"],
      run: async (call) => (await import("../worktree/end.ts")).merge(call),
    },
    {
      name: "remove",
      summary: "removes the worktree and its branch",
      args: "SESSION",
      count: [1, 1],
      details: "Refused if work would be lost, unless --discard is given.",
      options: [{ name: "discard", summary: "also discards changes and commits that exist nowhere else" }],
      examples: ["agentwire worktree remove 3f2a91c0 --discard"],
      run: async (call) => (await import("../worktree/end.ts")).remove(call),
    },
  ],
};
