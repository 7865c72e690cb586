import { join } from "node:path";
import { configFolder, userFile } from "@agentwire/local/files";
import { editSettingsFile, settingsPaths } from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";

/** The owner of a configuration file. */
export type FileScope = "user" | "project" | "local";

/** A folder, and the user as whom agents run there. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of the administrator's settings, if not the usual one. */
  readonly policyFolder?: string;
}

/** The settings files, from the lowest to the highest precedence. */
export const hookFiles = ({ cwd, env, home }: Surroundings): Readonly<Record<FileScope, string>> =>
  settingsPaths({ cwd, configDir: configFolder(env, home) });

/** The files that configure MCP servers; the user's file may also contain servers for single folders. */
export function serverFiles({ cwd, env, home }: Surroundings): Readonly<Record<FileScope, string>> {
  const own = userFile(env, home);
  return { user: own, project: join(cwd, ".mcp.json"), local: own };
}

const PRIVATE = 0o600;
const SHARED = 0o644;

/** Edits one of these files; problems become errors of the daemon. */
export async function editFile(
  files: Readonly<Record<FileScope, string>>,
  scope: FileScope,
  cwd: string,
  change: (settings: JsonObject) => JsonObject,
): Promise<void> {
  const path = files[scope];
  const isInside = path !== files.user;
  const mode = scope === "project" ? SHARED : PRIVATE;
  try {
    await editSettingsFile({ path, mode, change, ...(isInside && { within: cwd }) });
  } catch (cause) {
    if (cause instanceof DaemonError) throw cause;
    throw new DaemonError("WORKSPACE_REFUSED", `the file can't be changed: ${errorMessage(cause)}`, {
      cause,
    });
  }
}
