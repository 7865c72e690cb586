import { access } from "node:fs/promises";
import { projectFolder, sessionFile } from "./project-key.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tells whether a text can name a session. */
export const isSessionId = (text: string): boolean => UUID.test(text);

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
