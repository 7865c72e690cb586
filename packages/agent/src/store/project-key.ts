import { realpathSync } from "node:fs";
import { join } from "node:path";

const MAX_KEY_LENGTH = 200;

/** The name of the folder that holds a project's sessions, the same as the official programs give it. */
export function projectKey(folder: string): string {
  const key = folder.replace(/[^a-zA-Z0-9]/g, "-");
  // Two long paths may begin alike, so what is cut off is told apart by a hash of the whole.
  return key.length <= MAX_KEY_LENGTH ? key : `${key.slice(0, MAX_KEY_LENGTH)}-${hash(folder)}`;
}

/** Where the sessions of the project at `cwd` are kept. */
export function projectFolder(configDir: string, cwd: string): string {
  return join(configDir, "projects", projectKey(realFolder(cwd)));
}

/** The file of a session, in the folder of its project. */
export function sessionFile(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`);
}

/** The file of a subagent that a session started. */
export function subagentFile(folder: string, sessionId: string, agentId: string): string {
  return join(folder, sessionId, "subagents", `agent-${agentId}.jsonl`);
}

function realFolder(cwd: string): string {
  try {
    return composed(realpathSync(cwd));
  } catch {
    return composed(cwd);
  }
}

/** macOS hands out decomposed names for the same folder. */
const composed = (path: string) => (process.platform === "darwin" ? path.normalize("NFC") : path);

function hash(text: string): string {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) | 0;
  return Math.abs(value).toString(36);
}
