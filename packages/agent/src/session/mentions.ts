import { readdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type ContentBlock, contentText } from "@agentwire/protocol/messages";
import type { Gate } from "../permission/gate.ts";
import type { Prompt } from "../prompt.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import { reminder } from "../turn/history.ts";

/** What is needed to read the files that a prompt mentions. */
export interface MentionParts {
  readonly workspace: Workspace;
  readonly gate: Gate;
  /** The model's tools: without Read, no mentioned file is read either. */
  tools(): ReadonlyMap<string, Tool>;
}

/** A file that a prompt mentions, as a call of Read, or a folder. */
interface Mention {
  readonly path: string;
  readonly isFolder: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

const MAX_MENTIONS = 20;
const MAX_PATH_CHARS = 1000;
const MAX_NAMES = 1000;

/**
 * Reads the files and lists the folders that prompts mention as `@path`, unless a rule denies it or requires a question; any
 * other `@word` stays plain text.
 */
export async function readMentions(
  parts: MentionParts,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  const tool = parts.tools().get("Read");
  const texts = prompts
    .filter((prompt) => !prompt.verbatim && !prompt.synthetic)
    .map(({ content }) => contentText(content));
  const found = tool ? await filesIn(texts, parts.workspace.cwd) : [];
  const read = await Promise.all(found.map((mention) => tool && readMention(parts, tool, mention, signal)));
  return read.flatMap((blocks) => blocks ?? []);
}

async function filesIn(texts: readonly string[], cwd: string): Promise<readonly Mention[]> {
  const spelled = [...new Set(texts.flatMap(mentionsIn))].slice(0, MAX_MENTIONS);
  const found = await Promise.all(spelled.map((text) => mentionOf(text, cwd)));
  return found.filter((mention) => mention !== undefined);
}

/** Every standalone `@word` and `@"several words"`, without the `@`. */
function mentionsIn(text: string): readonly string[] {
  const found = text.matchAll(/(?<![^\s(])@(?:"([^"\n]{1,1000})"|(\S{1,1000}))/g);
  return [...found].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The mentioned file, if it exists; punctuation may follow its name. */
async function mentionOf(text: string, cwd: string): Promise<Mention | undefined> {
  const [, name = text, first, last] = /^(.+?)#L(\d+)(?:-L?(\d+))?/.exec(text) ?? [];
  const lines = first === undefined ? {} : linesOf(Number(first), Number(last ?? first));
  for (const one of new Set([name, name.replace(/[.,;:!?)\]}'"]+$/, "")])) {
    if (one === "" || one.length > MAX_PATH_CHARS) continue;
    const path = resolve(cwd, one);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() || stats?.isDirectory()) return { path, isFolder: stats.isDirectory(), ...lines };
  }
  return undefined;
}

const linesOf = (first: number, last: number) => ({ offset: first, limit: Math.max(1, last - first + 1) });

async function readMention(
  { gate, workspace }: MentionParts,
  tool: Tool,
  { path, isFolder, ...lines }: Mention,
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  const input = { file_path: path, ...lines };
  const callId = `mention-${path}`;
  // Mentioning a file allows reading it; if a rule requires a question, the model has to call Read.
  const wanted = { hookDecision: "allow", mode: "dontAsk" } as const;
  const decision = await gate.decide({ tool, input, callId, signal, workspace, ...wanted });
  if (decision.behavior === "deny") return [];
  if (isFolder) return listFolder(path);
  // If the file has disappeared, the model will find out by itself.
  const outcome = await tool.run(input, { callId, workspace, signal }).catch(() => undefined);
  if (!outcome) return [];
  const { content } = outcome;
  if (outcome.isError)
    return [reminder(`The user's message mentions ${path}. It was not read for you: ${String(content)}`)];
  const intro = `The user's message mentions ${path}. It was read for you`;
  if (typeof content === "string") return [reminder(`${intro}:\n${content}`)];
  return [reminder(`${intro}; this is it.`), ...content];
}

async function listFolder(path: string): Promise<readonly ContentBlock[]> {
  const names = await readdir(path).catch(() => undefined);
  if (!names) return [];
  const rest = names.length - MAX_NAMES;
  const shown = [...names.sort().slice(0, MAX_NAMES), ...(rest > 0 ? [`(${rest} more)`] : [])];
  return [reminder(`The user's message mentions the folder ${path}. This is in it:\n${shown.join("\n")}`)];
}
