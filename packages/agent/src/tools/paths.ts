import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Workspace } from "./workspace.ts";

/** The file that the model means by a path: absolute, or relative to the current directory or to the home folder. */
export function absolutePath(path: string, workspace: Pick<Workspace, "cwd" | "home">): string {
  if (path === "~" || path.startsWith("~/")) return join(workspace.home, path.slice(1));
  return resolve(workspace.cwd, path);
}

/** A path as shown to the model: relative to the current directory if it is inside, otherwise absolute. */
export function shownPath(path: string, workspace: Pick<Workspace, "cwd">): string {
  return shortPath(path, workspace.cwd) ?? path;
}

/** A path as shown to people: the same, or relative to the home folder if it is inside. */
export function pathForPeople(path: string, { cwd, home }: Pick<Workspace, "cwd" | "home">): string {
  const fromHome = shortPath(path, home);
  return shortPath(path, cwd) ?? (fromHome === undefined ? path : `~/${fromHome}`);
}

function shortPath(path: string, folder: string): string | undefined {
  const short = relative(folder, path);
  const isInside = short !== "" && short !== ".." && !short.startsWith(`..${sep}`) && !isAbsolute(short);
  return isInside ? short : undefined;
}
