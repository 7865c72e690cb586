import type { RuleContext, ToolCall } from "../given-rule.ts";
import { ANY_NAME, toSegments } from "./segment-pattern.ts";

/** The paths that a call of a file tool accesses. */
export interface CallPaths {
  /** All spellings of the one file or directory. */
  readonly spellings: readonly (readonly string[])[];
  /** Whether the call may also access paths that no spelling shows. */
  readonly mayReachMore: boolean;
}

const PATH_KEYS: ReadonlyMap<string, string> = new Map([
  ["Read", "file_path"],
  ["Edit", "file_path"],
  ["Write", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
  ["Glob", "path"],
  ["Grep", "path"],
  ["LS", "path"],
]);
const SEARCHES: ReadonlySet<string> = new Set(["Glob", "Grep", "LS"]);
/** Many times longer than any system allows a path to be. */
const MAX_PATH_CHARS = 65_536;
const GLOB_CHAR = /[*?[{\\]/;
// Ways for a pattern to leave the directory it is applied to.
const LEAVES_DIRECTORY = /\.\.|[{,]\s*[/~]|\\/;

/** The paths of a call of a file tool; undefined if the tool is none or the path cannot be one. */
export function callPaths({ toolName, input }: ToolCall, context: RuleContext): CallPaths | undefined {
  const key = PATH_KEYS.get(toolName);
  if (key === undefined) return undefined;
  const searches = SEARCHES.has(toolName);
  const path = input[key] ?? (searches ? context.cwd : undefined);
  if (typeof path !== "string" || path === "" || path.includes(ANY_NAME)) return undefined;
  const pattern = toolName === "Glob" && typeof input.pattern === "string" ? input.pattern : "";
  const spellings = spell(path, context.cwd, context.home)
    .flatMap((directory) => spell(fixedPart(pattern), directory, context.home))
    .concat(context.resolvedPaths ?? [])
    .map(toSegments);
  return {
    // A search reads files of any name inside its directory.
    spellings: searches ? spellings.map((names) => [...names, ANY_NAME]) : spellings,
    mayReachMore: LEAVES_DIRECTORY.test(pattern),
  };
}

/** Whether the path of a call, or its search pattern, is too long to be one. */
export function hasOverlongPath({ toolName, input }: ToolCall): boolean {
  const texts = [input[PATH_KEYS.get(toolName) ?? ""], toolName === "Glob" ? input.pattern : ""];
  return texts.some((text) => typeof text === "string" && text.length > MAX_PATH_CHARS);
}

function spell(path: string, directory: string, home: string | undefined): string[] {
  if (path.startsWith("/")) return [path];
  const plain = `${directory}/${path}`;
  // Whether `~` is expanded depends on the tool.
  const isInHome = home !== undefined && (path === "~" || path.startsWith("~/"));
  return isInHome ? [`${home}/${path.slice(1)}`, plain] : [plain];
}

function fixedPart(pattern: string): string {
  const glob = pattern.search(GLOB_CHAR);
  const fixed = glob < 0 ? pattern : pattern.slice(0, glob);
  return fixed.slice(0, fixed.lastIndexOf("/") + 1);
}
