import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Workspace } from "./workspace.ts";

/** The file that a path of the model means: absolute, from the current folder, or from the home folder. */
export function absolutePath(path: string, workspace: Pick<Workspace, "cwd" | "home">): string {
  if (path === "~" || path.startsWith("~/")) return join(workspace.home, path.slice(1));
  return resolve(workspace.cwd, path);
}

/** How a path is shown: from the current folder if it is in there, else in full. */
export function shownPath(path: string, workspace: Pick<Workspace, "cwd">): string {
  return shortPath(path, workspace.cwd) ?? path;
}

/** How a path is shown to people: like that, or from the home folder if it is in there. */
export function pathForPeople(path: string, { cwd, home }: Pick<Workspace, "cwd" | "home">): string {
  const fromHome = shortPath(path, home);
  return shortPath(path, cwd) ?? (fromHome === undefined ? path : `~/${fromHome}`);
}

function shortPath(path: string, folder: string): string | undefined {
  const short = relative(folder, path);
  const isInside = short !== "" && short !== ".." && !short.startsWith(`..${sep}`) && !isAbsolute(short);
  return isInside ? short : undefined;
}
