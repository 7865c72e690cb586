import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { rewriteSettings } from "./rewrite.ts";

/**
 * Changes the user's `.claude.json`. It holds the environment of MCP servers, including keys, so a new file is for its owner
 * only.
 */
export function rewriteUserFile(path: string, change: (file: JsonObject) => JsonObject): Promise<void> {
  return rewriteSettings(path, change, 0o600);
}

/** The file with a change to the entry of a project. */
export function inProject(
  file: JsonObject,
  folder: string,
  change: (project: JsonObject) => JsonObject,
): JsonObject {
  const projects = objectIn(file, "projects");
  return { ...file, projects: { ...projects, [folder]: change(projectIn(file, folder)) } };
}

/** The entry of a project. */
export function projectIn(file: JsonObject, folder: string): JsonObject {
  return objectIn(objectIn(file, "projects"), folder);
}

/** The object under a key; an empty one if there is none. */
export function objectIn(holder: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return isJsonObject(value) ? value : {};
}
