import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { PromptFile } from "./context.ts";
import {
  listOf,
  type MarkdownFile,
  markdownFiles,
  type NamedFolder,
  readMarkdown,
} from "./markdown-files.ts";

const run = promisify(execFile);

/** The commands and skills below the folders `commands` and `skills` of the given places; later places win. */
export async function promptFiles(
  places: readonly NamedFolder[],
  cwd: string,
): Promise<ReadonlyMap<string, PromptFile>> {
  const found = new Map<string, PromptFile>();
  for (const { folder, prefix, owner } of places) {
    for (const file of await markdownFiles(join(folder, "commands"))) {
      const name = prefix + file.name;
      found.set(name, toPrompt(file, { name, owner, kind: "command" }, cwd));
    }
    for (const file of await skills(join(folder, "skills"))) {
      const own = typeof file.front.name === "string" ? file.front.name : basename(dirname(file.path));
      found.set(prefix + own, toPrompt(file, { name: prefix + own, owner, kind: "skill" }, cwd));
    }
  }
  return found;
}

async function skills(folder: string): Promise<readonly MarkdownFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.sort().map((name) => readMarkdown(join(folder, name, "SKILL.md"), folder)),
  );
  return files.filter((file) => file !== undefined);
}

function toPrompt(
  file: MarkdownFile,
  facts: Pick<PromptFile, "name" | "owner" | "kind">,
  cwd: string,
): PromptFile {
  const { front, body, path } = file;
  const { name, kind } = facts;
  return {
    ...facts,
    path,
    body,
    description: typeof front.description === "string" ? front.description : (firstLine(body) ?? name),
    argumentHint: typeof front["argument-hint"] === "string" ? front["argument-hint"] : "",
    allowedTools: listOf(front["allowed-tools"]) ?? [],
    model: typeof front.model === "string" ? front.model : undefined,
    expand: (args, signal) =>
      fillCommands(fillArguments(kind === "skill" ? withFolder(body, path) : body, args), cwd, signal),
  };
}

/** A skill may come with files of its own, which it names by where they are. */
function withFolder(body: string, path: string): string {
  const folder = dirname(path);
  return `The files of this skill are in ${folder}.\n\n${body.replace(/\$\{CLAUDE_SKILL_DIR\}/g, () => folder)}`;
}

const firstLine = (text: string) =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.replace(/^#+\s*/, "")
    .slice(0, 200);

/** `$0` is the first argument; a place for one that was not given stays as it is written. */
function fillArguments(text: string, args: string): string {
  const words = wordsOf(args);
  const nth = (written: string, index: string) => words[Number(index)] ?? written;
  const filled = text
    .replace(/\$ARGUMENTS\[(\d{1,3})\]|\$(\d{1,3})(?!\d)/g, (written, long?: string, short?: string) =>
      nth(written, long ?? short ?? ""),
    )
    .replace(/\$ARGUMENTS(?!\[\d)/g, () => args);
  return filled !== text || args === "" ? filled : `${text}\n\nARGUMENTS: ${args}`;
}

/** Arguments as a shell would tell them apart: quotes keep words together. */
function wordsOf(args: string): readonly string[] {
  const words = args.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => (/^["']/.test(word) ? word.slice(1, -1) : word));
}

/** Replaces !`command` by what the command prints. */
async function fillCommands(text: string, cwd: string, signal: AbortSignal | undefined): Promise<string> {
  const parts = text.split(/!`([^`\n]+)`/);
  for (let i = 1; i < parts.length; i += 2) parts[i] = await outputOf(parts[i] ?? "", cwd, signal);
  return parts.join("");
}

async function outputOf(command: string, cwd: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    const limits = { timeout: 30_000, maxBuffer: 262_144, ...(signal && { signal }) };
    const { stdout } = await run("/bin/sh", ["-c", command], { cwd, ...limits });
    return stdout.trimEnd();
  } catch (error) {
    return `(the command \`${command}\` failed: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The description as hosts show it: it says whose the prompt is. */
export function ownedDescription({ name, owner, description }: PromptFile): string {
  return name.startsWith(`${owner}:`) ? `(${owner}) ${description}` : `${description} (${owner})`;
}
