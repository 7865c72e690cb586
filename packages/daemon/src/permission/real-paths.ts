import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { RuleContext, ToolCall } from "@agentwire/protocol/permission";

const FILE_TOOLS: ReadonlySet<string> = new Set([
  "Read",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "Glob",
  "Grep",
  "LS",
]);
const MAX_LINKS = 40;
const MAX_PATH_CHARS = 4096;
/** Stands for a path that can't be resolved: no rule for a part of the disk allows it. */
const ANYWHERE = "/";

/** What rules need to know about a call, including its path with links resolved, since a link may lead elsewhere. */
export function ruleContext(call: ToolCall, cwd: string, home: string): RuleContext {
  if (!FILE_TOOLS.has(call.toolName)) return { cwd, home };
  const inProject = seenFrom(cwd);
  const inHome = seenFrom(home);
  const resolvedPaths = spellings(call, cwd, home).map((path) => inHome(inProject(realPath(path))));
  return { cwd, home, resolvedPaths };
}

/** The ways in which a tool may interpret a path: `..` may be resolved by name, or by the system, which follows links first. */
function spellings({ toolName, input }: ToolCall, cwd: string, home: string): readonly string[] {
  const given = input.file_path ?? input.notebook_path ?? input.path;
  const path = typeof given === "string" ? given : "";
  const searched = toolName === "Glob" && typeof input.pattern === "string" ? input.pattern : "";
  if (Math.max(path.length, searched.length) > MAX_PATH_CHARS) return [ANYWHERE];
  const pattern = fixedPart(searched);
  const whole = pattern.startsWith("/") ? pattern : [path, pattern].filter((part) => part !== "").join("/");
  const roots = whole.startsWith("~/") ? [cwd, home] : [cwd];
  return roots.flatMap((root, index) => {
    const rest = index === 0 ? whole : whole.slice(2);
    return [resolve(root, rest), rest.startsWith("/") ? rest : `${root}/${rest}`];
  });
}

/** The folder in which a pattern starts to search. */
function fixedPart(pattern: string): string {
  const glob = pattern.search(/[*?[{\\]/);
  const fixed = glob < 0 ? pattern : pattern.slice(0, glob);
  return fixed.slice(0, fixed.lastIndexOf("/") + 1);
}

/** Resolves all links in a path, even if nothing exists there yet. */
export function realPath(path: string, links = 0): string {
  if (path.length > MAX_PATH_CHARS || path.includes("\0") || links > MAX_LINKS) return ANYWHERE;
  try {
    return realpathSync.native(path);
  } catch {
    const target = linkTarget(path);
    // A link to a missing file: writing to it creates that file.
    if (target !== undefined) return realPath(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent, links), basename(path));
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Maps real paths inside a linked folder back to the folder's own spelling, which rules use. */
function seenFrom(folder: string): (path: string) => string {
  const real = realPath(folder);
  return (path) => {
    if (real === ANYWHERE || real === folder) return path;
    return path === real || path.startsWith(`${real}/`) ? folder + path.slice(real.length) : path;
  };
}
