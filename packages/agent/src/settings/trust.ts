import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { Settings } from "./settings.ts";

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
  if (grants.length === 0 || (await isNoted(cwd, file))) return grants.length > 0;
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

async function isNoted(cwd: string, file: string): Promise<boolean> {
  try {
    const known: unknown = JSON.parse(await readFile(file, "utf8"));
    const projects = isJsonObject(known) && isJsonObject(known.projects) ? known.projects : {};
    const project = Object.hasOwn(projects, cwd) ? projects[cwd] : undefined;
    return isJsonObject(project) && project.hasTrustDialogAccepted === true;
  } catch {
    return false;
  }
}
