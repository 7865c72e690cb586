// They show and never change, apart from the options below.
const SHOWING = new Set(
  (
    "status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev show-ref " +
    "diff-tree for-each-ref"
  ).split(" "),
);

// Options that write a file or run a program, including the shortened forms that git takes.
const HARMFUL = /^(?:--ou|--ext|--te|--fil|-O)/;

// Without names these list; with a name they create, rename or delete.
const LISTING = new Map([
  [
    "branch",
    new Set(["-a", "-r", "-v", "-vv", "--all", "--remotes", "--list", "--show-current", "--no-color"]),
  ],
  ["tag", new Set(["-l", "--list", "-n"])],
  ["remote", new Set(["-v", "--verbose"])],
  ["stash", new Set(["list"])],
  ["worktree", new Set(["list", "--porcelain"])],
]);

/** Whether a call of git only shows something. The subcommand must come first: what may stand before it can run programs. */
export function isReadOnlyGit([subcommand = "", ...args]: readonly string[]): boolean {
  if (SHOWING.has(subcommand)) return !args.some((arg) => HARMFUL.test(arg));
  // A bare `git stash` stashes, and a bare `git worktree` is only a mistake.
  if (args.length === 0 && (subcommand === "stash" || subcommand === "worktree")) return false;
  const listing = LISTING.get(subcommand);
  return listing !== undefined && args.every((arg) => listing.has(arg));
}
