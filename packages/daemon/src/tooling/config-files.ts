import { join } from "node:path";
import { configFolder, userFile } from "@agentwire/local/files";
import { editSettingsFile, settingsPaths } from "@agentwire/local/settings";
import type { JsonObject } from "@agentwire/protocol";
import { errorMessage } from "@agentwire/protocol/support";
import { DaemonError } from "../errors.ts";

/** Whose file something stands in. */
export type FileScope = "user" | "project" | "local";

/** A folder, and the user in whose name agents run there. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Where the administrator's settings lie, if not in the usual place. */
  readonly policyFolder?: string;
}

/** The files with settings, from the weakest to the strongest. */
export const hookFiles = ({ cwd, env, home }: Surroundings): Readonly<Record<FileScope, string>> =>
  settingsPaths({ cwd, configDir: configFolder(env, home) });

/** The files that name MCP servers; the user's own has those for single folders too. */
export function serverFiles({ cwd, env, home }: Surroundings): Readonly<Record<FileScope, string>> {
  const own = userFile(env, home);
  return { user: own, project: join(cwd, ".mcp.json"), local: own };
}

const PRIVATE = 0o600;
const SHARED = 0o644;

/** Changes one of them; what is in the way is told as an error of the daemon. */
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
