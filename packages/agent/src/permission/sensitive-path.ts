// Files in these folders are run, or control what is run, by programs and people who never see the call that changed them.
const FOLDERS: ReadonlySet<string> = new Set([".git", ".claude", ".vscode", ".idea", ".ssh", ".husky"]);
// The same for folders in `.config`.
const CONFIG_FOLDERS: ReadonlySet<string> = new Set([
  "fish",
  "git",
  "nvim",
  "systemd",
  "autostart",
  "direnv",
  "nushell",
  "environment.d",
]);
const FILES: ReadonlySet<string> = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".zsh_aliases",
  ".profile",
  ".login",
  ".logout",
  ".cshrc",
  ".tcshrc",
  ".kshrc",
  ".mkshrc",
  ".inputrc",
  ".xprofile",
  ".xinitrc",
  ".vimrc",
  ".exrc",
  ".tmux.conf",
  ".screenrc",
  ".netrc",
  ".curlrc",
  ".wgetrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".gitconfig",
  ".gitmodules",
  ".ripgreprc",
  ".npmrc",
  ".envrc",
  ".mcp.json",
  ".claude.json",
]);

/** The part of a path that makes edits require a question even where edits are allowed; undefined if it has none. */
export function sensitivePart(path: string): string | undefined {
  // On case-insensitive file systems `.GIT` is the same folder.
  const names = path.toLowerCase().split("/");
  // Worktrees are kept there: ordinary project files.
  const isWorktree = (at: number) => names[at] === ".claude" && names[at + 1] === "worktrees";
  return names.find(
    (name, at) =>
      (FOLDERS.has(name) && !isWorktree(at)) ||
      (names[at - 1] === ".config" && CONFIG_FOLDERS.has(name)) ||
      (at === names.length - 1 && FILES.has(name)),
  );
}
