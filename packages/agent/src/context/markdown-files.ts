import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isMissing, readRegularFile } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** A Markdown file with its front matter. */
export interface MarkdownFile {
  readonly path: string;
  /** The path relative to the folder it was found in, without `.md`, with `:` as separator. */
  readonly name: string;
  readonly front: JsonObject;
  readonly body: string;
}

/** The owner of files; `stranger` is a project that the user does not trust. */
export type FileOwner = "user" | "project" | "plugin" | "stranger";

/** A folder with files of the user, the project or a plugin, and the prefix of their names. */
export interface NamedFolder {
  readonly folder: string;
  readonly prefix: string;
  /** `user`, `project`, or the name of the plugin. */
  readonly owner: string;
  readonly kind: FileOwner;
}

/** Larger files are not read. */
const MAX_BYTES = 1_048_576;
/** Generous limits, so that the search always ends. */
const MAX_FILES = 2000;
const MAX_FOLDERS = 500;

/** The Markdown files below a folder; empty if the folder is missing. */
export async function markdownFiles(folder: string): Promise<readonly MarkdownFile[]> {
  if (isMissing(folder)) return [];
  const paths = await markdownPaths(folder);
  const files = await Promise.all(paths.sort().map((path) => readMarkdown(path, folder)));
  return files.filter((file) => file !== undefined);
}

/** Follows links, but enters no folder twice: links in a circle would make endless paths. */
async function markdownPaths(root: string): Promise<string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  const open = [root];
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (await isFolder(entry, path)) open.push(path);
      else if (entry.name.endsWith(".md")) found.push(path);
    }
    if (seen.size >= MAX_FOLDERS || found.length >= MAX_FILES) break;
  }
  return found.slice(0, MAX_FILES);
}

async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Reads one Markdown file; undefined if it can't be read. */
export async function readMarkdown(path: string, folder: string): Promise<MarkdownFile | undefined> {
  const text = await readRegularFile(path, MAX_BYTES).catch(() => undefined);
  if (text === undefined) return undefined;
  const [, front, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  const name = relative(folder, path).replace(/\.md$/, "").split(sep).join(":");
  return { path, name, front: front === undefined ? {} : await frontMatter(front), body: body ?? text };
}

async function frontMatter(text: string): Promise<JsonObject> {
  // Once bundled, a CommonJS package has only its default export, the whole module.
  const { default: yaml } = await import("yaml");
  try {
    const value: unknown = yaml.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A list in front matter, written as a YAML list or separated by commas. */
export function listOf(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string") return undefined;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}
