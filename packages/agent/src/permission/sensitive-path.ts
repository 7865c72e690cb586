// What these hold is run, or decides what is run, by someone who never sees the call that changed it.
const FOLDERS: ReadonlySet<string> = new Set([".git", ".claude", ".vscode", ".idea", ".ssh", ".husky"]);
const FILES: ReadonlySet<string> = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".profile",
  ".gitconfig",
  ".gitmodules",
  ".ripgreprc",
  ".npmrc",
  ".envrc",
  ".mcp.json",
  ".claude.json",
]);

/** The part of a path for which an edit is asked about even where edits are allowed; undefined when it has none. */
export function sensitivePart(path: string): string | undefined {
  // On some disks `.GIT` is the same folder.
  const names = path.toLowerCase().split("/");
  // Whole copies of a project are kept there.
  const isWorktree = (at: number) => names[at] === ".claude" && names[at + 1] === "worktrees";
  return names.find(
    (name, at) => (FOLDERS.has(name) && !isWorktree(at)) || (at === names.length - 1 && FILES.has(name)),
  );
}
