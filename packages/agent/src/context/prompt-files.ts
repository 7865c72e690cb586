import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing } from "@agentwire/local/files";
import { namesProvider, shown } from "../settings/untrusted.ts";
import type { PromptFile } from "./context.ts";
import { type CommandLocation, commandsIn, fillPrompt } from "./fill-prompt.ts";
import {
  type FileOwner,
  listOf,
  type MarkdownFile,
  markdownFiles,
  type NamedFolder,
  readMarkdown,
} from "./markdown-files.ts";

/** The commands and skills in the folders `commands` and `skills` of the given places; later places take precedence. */
export async function promptFiles(
  places: readonly NamedFolder[],
  where: CommandLocation,
): Promise<ReadonlyMap<string, PromptFile>> {
  const found = new Map<string, PromptFile>();
  for (const { folder, prefix, owner, kind: whose } of places) {
    for (const file of await markdownFiles(join(folder, "commands"))) {
      const name = prefix + file.name;
      found.set(name, toPrompt(file, { name, owner, kind: "command" }, whose, where));
    }
    for (const file of await skills(join(folder, "skills"))) {
      const own = typeof file.front.name === "string" ? file.front.name : basename(dirname(file.path));
      found.set(prefix + own, toPrompt(file, { name: prefix + own, owner, kind: "skill" }, whose, where));
    }
  }
  return found;
}

async function skills(folder: string): Promise<readonly MarkdownFile[]> {
  const names = isMissing(folder) ? [] : await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.sort().map((name) => readMarkdown(join(folder, name, "SKILL.md"), folder)),
  );
  return files.filter((file) => file !== undefined);
}

function toPrompt(
  file: MarkdownFile,
  facts: Pick<PromptFile, "name" | "owner" | "kind">,
  whose: FileOwner,
  where: CommandLocation,
): PromptFile {
  const { front, body, path } = file;
  const { name, kind } = facts;
  const allowedTools = listOf(front["allowed-tools"]) ?? [];
  const isStrange = whose === "stranger";
  return {
    ...facts,
    path,
    body,
    description: typeof front.description === "string" ? front.description : (firstLine(body) ?? name),
    argumentHint: typeof front["argument-hint"] === "string" ? front["argument-hint"] : "",
    allowedTools: isStrange ? [] : allowedTools,
    model:
      typeof front.model === "string" && !(isStrange && namesProvider(front.model)) ? front.model : undefined,
    withheld: isStrange ? grantsOf(file, allowedTools) : [],
    expand: (args, shell, signal) => {
      const text = kind === "skill" ? withFolder(body, path) : body;
      const refusal = async () => "the user does not trust this folder";
      return fillPrompt(text, args, where, isStrange ? { ...shell, refusal } : shell, signal);
    },
  };
}

/** What a prompt requests beyond its text. */
function grantsOf({ front, body }: MarkdownFile, allowedTools: readonly string[]): readonly string[] {
  const model = namesProvider(front.model) ? [`model ${shown(front.model)}`] : [];
  const tools = allowedTools.length > 0 ? [`allowed-tools ${shown(allowedTools)}`] : [];
  return [...model, ...tools, ...commandsIn(body).map((command) => `command ${shown(command)}`)];
}

/** A skill may come with more files, which it refers to by their location. */
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

/** The description that hosts show, including the owner of the prompt. */
export function ownedDescription({ name, owner, description }: PromptFile): string {
  return name.startsWith(`${owner}:`) ? `(${owner}) ${description}` : `${description} (${owner})`;
}
