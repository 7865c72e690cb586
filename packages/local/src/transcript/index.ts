export { linesTo, relinkedParents } from "./chain.ts";
export {
  INTERRUPTED,
  isBoundary,
  isLinked,
  type Kept,
  keptBy,
  type LinkedLine,
  MAX_LINE_BYTES,
  parentOf,
} from "./line.ts";
export {
  isSessionId,
  longKeyPrefix,
  plainKey,
  projectFolder,
  projectKey,
  projectsFolder,
  realFolder,
  sessionFile,
  storeKey,
  subagentFile,
  systemSpelling,
} from "./project-key.ts";
