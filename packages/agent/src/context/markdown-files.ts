import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** A Markdown file with its front matter. */
export interface MarkdownFile {
  readonly path: string;
  /** The path inside the folder it was found in, without `.md`, parts joined by `:`. */
  readonly name: string;
  readonly front: JsonObject;
  readonly body: string;
}

/** A folder with files of the user, the project or a plugin, and what their names begin with. */
export interface NamedFolder {
  readonly folder: string;
  readonly prefix: string;
  /** `user`, `project`, or the name of the plugin. */
  readonly owner: string;
}

/** A file larger than this is no prompt. */
const MAX_BYTES = 1_048_576;

/** The Markdown files below a folder; none if there is no such folder. */
export async function markdownFiles(folder: string): Promise<readonly MarkdownFile[]> {
  const names = await readdir(folder, { recursive: true, encoding: "utf8" }).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => readMarkdown(join(folder, name), folder)),
  );
  return files.filter((file) => file !== undefined);
}

/** Reads one Markdown file; undefined if that can't be done. */
export async function readMarkdown(path: string, folder: string): Promise<MarkdownFile | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined || text.length > MAX_BYTES) return undefined;
  const [, front, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  const name = relative(folder, path).replace(/\.md$/, "").split(sep).join(":");
  return { path, name, front: front === undefined ? {} : await frontMatter(front), body: body ?? text };
}

async function frontMatter(text: string): Promise<JsonObject> {
  // By its default export, which is the whole module: bundled, a package in the older format has no other.
  const { default: yaml } = await import("yaml");
  try {
    const value: unknown = yaml.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A list in front matter: written as a YAML list, or as words with commas. */
export function listOf(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "string") return undefined;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}
