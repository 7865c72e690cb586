/** What each `WorktreeError` code means, one sentence each. */
const WORKTREE_ERRORS = {
  git_missing: "git is not installed.",
  git_failed: "git failed; the text has its message.",
  too_large: "There is more than can be handled.",
  not_a_repository: "The folder is not in a git repository.",
  no_commit: "The repository has no commit to start from.",
  bad_name: "The name is not valid for a worktree.",
  unsafe_path: "The path leads somewhere else.",
  exists: "Something else is already there.",
  dirty: "The worktree has changes that are not committed.",
  unmerged: "The worktree has commits that are on no other branch.",
  dirty_base: "The checkout of the base branch has changes that are not committed.",
  no_base: "The base branch can't be merged into.",
  conflict: "The work conflicts with the base branch.",
} as const;

/** Why something can't be done with a worktree; programs read `code`, people read the text. */
export class WorktreeError extends Error {
  override readonly name = "WorktreeError";
  readonly code: keyof typeof WORKTREE_ERRORS;

  constructor(code: keyof typeof WORKTREE_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
