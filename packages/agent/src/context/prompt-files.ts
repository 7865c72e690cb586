import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
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
  for (const { folder, prefix } of places) {
    for (const file of await markdownFiles(join(folder, "commands"))) {
      const name = prefix + file.name;
      found.set(name, toPrompt(file, name, "command", cwd));
    }
    for (const file of await skills(join(folder, "skills"))) {
      const own = typeof file.front.name === "string" ? file.front.name : basename(dirname(file.path));
      found.set(prefix + own, toPrompt(file, prefix + own, "skill", cwd));
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

function toPrompt(file: MarkdownFile, name: string, kind: PromptFile["kind"], cwd: string): PromptFile {
  const { front, body, path } = file;
  return {
    name,
    kind,
    path,
    body,
    description: typeof front.description === "string" ? front.description : (firstLine(body) ?? name),
    argumentHint: typeof front["argument-hint"] === "string" ? front["argument-hint"] : "",
    allowedTools: listOf(front["allowed-tools"]) ?? [],
    model: typeof front.model === "string" ? front.model : undefined,
    expand: async (args, signal) =>
      fillFiles(await fillCommands(fillArguments(body, args), cwd, signal), cwd),
  };
}

const firstLine = (text: string) =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.replace(/^#+\s*/, "")
    .slice(0, 200);

function fillArguments(text: string, args: string): string {
  const words = args.split(/\s+/).filter(Boolean);
  const hasPlace = /\$ARGUMENTS|\$\d/.test(text);
  const filled = text
    .replaceAll("$ARGUMENTS", () => args)
    .replace(/\$(\d)/g, (_, digit: string) => words[Number(digit) - 1] ?? "");
  return hasPlace || args === "" ? filled : `${filled}\n\n${args}`;
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

/** Puts the text of files mentioned as `@path` behind the prompt. */
async function fillFiles(text: string, cwd: string): Promise<string> {
  const names = [...new Set([...text.matchAll(/(?:^|\s)@([\w./-]+)/g)].map((match) => match[1] ?? ""))];
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      content: await readFile(resolve(cwd, name), "utf8").catch(() => undefined),
    })),
  );
  const readable = files.filter(({ content }) => content !== undefined);
  return [text, ...readable.map(({ name, content }) => `<file path="${name}">\n${content}\n</file>`)].join(
    "\n\n",
  );
}
