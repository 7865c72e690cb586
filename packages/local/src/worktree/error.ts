/** The meaning of each `WorktreeError` code. */
const WORKTREE_ERRORS = {
  git_missing: "git is not installed.",
  git_failed: "git failed; the text has its message.",
  too_large: "The output or the files exceed a limit.",
  not_a_repository: "The folder is not in a git repository.",
  no_commit: "The repository has no commit to start from.",
  bad_name: "The name is not valid for a worktree.",
  unsafe_path: "The path resolves to a different location.",
  exists: "The path is already in use.",
  dirty: "The worktree has uncommitted changes.",
  unmerged: "The worktree has commits that are on no other branch.",
  dirty_base: "The checkout of the base branch has uncommitted changes.",
  no_base: "The base branch can't be merged into.",
  conflict: "The work conflicts with the base branch.",
} as const;

/** Why an operation on a worktree failed; `code` is for programs, the message for people. */
export class WorktreeError extends Error {
  override readonly name = "WorktreeError";
  readonly code: keyof typeof WORKTREE_ERRORS;

  constructor(code: keyof typeof WORKTREE_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
