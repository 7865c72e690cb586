import { access } from "node:fs/promises";
import { isSessionId, projectFolder, sessionFile } from "@agentwire/local/transcript";

/** Why a new session cannot be given this id; undefined if it can. */
export async function refuseSessionId(
  configDir: string,
  cwd: string,
  sessionId: string,
): Promise<string | undefined> {
  if (!isSessionId(sessionId)) return "Invalid session ID. It must be a valid UUID.";
  try {
    await access(sessionFile(projectFolder(configDir, cwd), sessionId));
  } catch {
    return undefined;
  }
  return `Session ID ${sessionId} is already in use.`;
}
