import { dirname, join, resolve } from "node:path";
import { readRegularFile } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { type Followed, isInside, realPath } from "../files/real-path.ts";
import { inProject, projectIn, rewriteUserFile } from "./user-file.ts";

/** The folders that the user trusts: only files in them may start programs, allow calls or choose where requests go. */
export interface Trust {
  /** Whether the user trusts a folder or one of its parents; `followed` caches resolved paths. Never rejects. */
  trusts(folder: string, followed?: Followed): Promise<boolean>;
}

/** The sources of trust. */
export interface TrustSources {
  readonly home: string;
  /** The user's configuration folder, which only the user writes to. */
  readonly configDir: string;
  /** The user's `.claude.json`, where the official agent records trust. */
  readonly userFile: string;
  /** Folders that the command line trusts. */
  readonly given: readonly string[];
  /** `trustedFolders` of the user, the host and the administrator. */
  readonly listed: readonly string[];
}

/** Creates the trust of a session. */
export function createTrust(sources: TrustSources): Trust {
  const { home, configDir, userFile, given, listed } = sources;
  const folders = [...given, ...listed.map((path) => resolve(home, path.replace(/^~(?=$|\/)/, home)))];
  return {
    async trusts(folder, followed = new Map()) {
      // A link in a trusted folder does not make its target trusted.
      const real = await realPath(folder, followed).catch(() => undefined);
      if (real === undefined) return false;
      if (join(real, ".claude") === (await realPath(configDir, followed).catch(() => undefined))) return true;
      for (const one of folders)
        if (isInside(real, await realPath(one, followed).catch(() => one))) return true;
      return isNotedIn(userFile, real);
    },
  };
}

/** Whether the file records that a folder or one of its parents is trusted. */
async function isNotedIn(file: string, folder: string): Promise<boolean> {
  try {
    const noted: unknown = JSON.parse(await readRegularFile(file));
    return isJsonObject(noted) && isNoted(noted, folder);
  } catch {
    return false;
  }
}

function isNoted(file: JsonObject, folder: string): boolean {
  if (projectIn(file, folder).hasTrustDialogAccepted === true) return true;
  return dirname(folder) !== folder && isNoted(file, dirname(folder));
}

/** Records that the user trusts a folder. Early versions of Claude Code fail in a folder whose entry has no list of allowed tools. */
export async function trustFolder(folder: string, file: string): Promise<void> {
  await rewriteUserFile(file, (known) =>
    inProject(known, folder, (project) => ({ allowedTools: [], ...project, hasTrustDialogAccepted: true })),
  );
}
