import { isAbsolute, resolve } from "node:path";
import type { JsonObject } from "@agentwire/protocol";
import type { Access } from "../shell/access.ts";

/** What a call touches; `unclear` when a path can't be determined. */
export type Accesses = readonly Access[] | "unclear";

interface FileTool {
  readonly kind: Access["kind"];
  /** The input field with the path. */
  readonly key: string;
  /** Without a path it uses the current directory. */
  readonly optional?: boolean;
}

const FILE_TOOLS: ReadonlyMap<string, FileTool> = new Map<string, FileTool>([
  ["Read", { kind: "read", key: "file_path" }],
  ["Glob", { kind: "read", key: "path", optional: true }],
  ["Grep", { kind: "read", key: "path", optional: true }],
  ["Edit", { kind: "write", key: "file_path" }],
  ["Write", { kind: "write", key: "file_path" }],
  ["NotebookEdit", { kind: "write", key: "notebook_path" }],
]);
const GLOB_CHAR = /[*?[{\\]/;
// Parts that let a pattern match outside the folder it is applied to.
const LEAVES_FOLDER = /\.\.|[{,]\s*[/~]|\\/;

/** What a tool does with files; undefined if it is not a file tool. */
export function fileToolKind(name: string): Access["kind"] | undefined {
  return FILE_TOOLS.get(name)?.kind;
}

/** What a call of a file tool touches; nothing for other tools. */
export function fileAccesses(name: string, input: JsonObject, cwd: string): Accesses {
  const tool = FILE_TOOLS.get(name);
  if (!tool) return [];
  const path = input[tool.key] ?? (tool.optional ? cwd : undefined);
  if (typeof path !== "string" || path === "") return "unclear";
  return name === "Glob" ? globAccesses(path, input.pattern) : [{ kind: tool.kind, path }];
}

/** The input with an absolute path: rules are not relative to the shell's current directory. */
export function withAbsolutePath(name: string, input: JsonObject, cwd: string): JsonObject {
  const tool = FILE_TOOLS.get(name);
  const path = tool && (input[tool.key] ?? (tool.optional ? cwd : undefined));
  return tool && typeof path === "string" && path !== ""
    ? { ...input, [tool.key]: resolve(cwd, path) }
    : input;
}

/** The input with the full path of its file, for readers who don't know the agent's folder; everything else is unchanged. */
export function withFullPath(
  name: string,
  input: JsonObject,
  resolvePath: (path: string) => string,
): JsonObject {
  const tool = FILE_TOOLS.get(name);
  const path = tool && !tool.optional ? input[tool.key] : undefined;
  return tool && typeof path === "string" ? { ...input, [tool.key]: resolvePath(path) } : input;
}

function globAccesses(path: string, pattern: unknown): Accesses {
  if (typeof pattern !== "string" || LEAVES_FOLDER.test(pattern)) return "unclear";
  const [fixed = ""] = pattern.split(GLOB_CHAR, 1);
  const folder = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  const startsElsewhere = isAbsolute(folder) || folder.startsWith("~");
  return [{ kind: "read", path: startsElsewhere ? folder : `${path}/${folder}` }];
}
