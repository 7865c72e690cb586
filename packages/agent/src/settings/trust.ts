import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Settings } from "./settings.ts";
import { inProject, projectIn, rewriteUserFile } from "./user-file.ts";

/** Where a project may be noted as trusted, and who hears if it isn't. */
export interface TrustQuestion {
  readonly settings: Settings;
  readonly cwd: string;
  /** The `.claude.json` of the user, in which the official agent notes it. */
  readonly file: string;
  readonly complain: (text: string) => void;
}

/** Whether what a project allows itself counts: only if the user trusts it. It is not looked up for one that allows itself nothing. */
export async function isTrustedProject({ settings, cwd, file, complain }: TrustQuestion): Promise<boolean> {
  const grants = settings.files.flatMap(({ source, settings: { permissions } }) =>
    source === "projectSettings" && isJsonObject(permissions) ? grantsIn(permissions) : [],
  );
  if (grants.length === 0 || (await isTrustedFolder(cwd, file))) return grants.length > 0;
  complain(
    `agentwire-agent: ${grants.join(" and ")} in .claude/settings.json don't count, because the user has not said that this project is trusted. ` +
      `Whoever trusts it sets projects["${cwd}"].hasTrustDialogAccepted to true in ${file}.\n`,
  );
  return false;
}

function grantsIn(permissions: JsonObject): readonly string[] {
  const names = ["allow", "additionalDirectories"] as const;
  return names.flatMap((name) => {
    const list = permissions[name];
    return Array.isArray(list) && list.length > 0 ? [`permissions.${name}`] : [];
  });
}

/** Whether the user has said that a folder is trusted. */
export async function isTrustedFolder(cwd: string, file: string): Promise<boolean> {
  try {
    const known: unknown = JSON.parse(await readFile(file, "utf8"));
    return isJsonObject(known) && projectIn(known, cwd).hasTrustDialogAccepted === true;
  } catch {
    return false;
  }
}

/** Notes that the user trusts a folder. */
export async function trustFolder(folder: string, file: string): Promise<void> {
  await rewriteUserFile(file, (known) =>
    inProject(known, folder, (project) => ({ ...project, hasTrustDialogAccepted: true })),
  );
}
