export {
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
export { isSessionId } from "./session-id.ts";
