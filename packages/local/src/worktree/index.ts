export { type Branches, branchesOf, switchBranch } from "./branches.ts";
export { type PackedSnapshot, packSnapshot, unpackSnapshots } from "./bundle.ts";
export {
  changesIn,
  commitStaged,
  type OpenChanges,
  type OpenFile,
  type Reverting,
  revertChange,
  stageFiles,
  undoRevert,
} from "./changes.ts";
export { createWorktree, type Worktree } from "./create.ts";
export { WorktreeError } from "./error.ts";
export { mergeWorktree, ownRefs, removeWorktree } from "./finish.ts";
export { type Environment, openGit } from "./git.ts";
export { randomName } from "./name.ts";
export { checkoutsOf, repositoryOf } from "./repository.ts";
export { type ChangedFile, changedBetween, restoreSnapshot, takeSnapshot, treeNow } from "./snapshot.ts";
export { type OpenWork, openWork, type Work, workIn } from "./work.ts";
