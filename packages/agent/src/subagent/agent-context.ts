import { join } from "node:path";
import { readRegularFile } from "@agentwire/local/files";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { ProjectContext } from "../context/context.ts";

/** What an agent gets besides its prompt. */
export interface AgentContext {
  /** Further pieces of its system prompt. */
  readonly system: readonly string[];
  /** What its conversation starts with, before the first prompt. */
  readonly opening: readonly string[];
}

/** The context of an agent that asks for nothing. */
export const NO_AGENT_CONTEXT: AgentContext = { system: [], opening: [] };

/** The maximum size of the notes to include; the agent has to read the rest by itself. */
const MAX_NOTES_CHARS = 25_000;

/** Reads what an agent's definition asks for: its notes from earlier sessions, and preloaded skills. */
export async function agentContext(
  name: string,
  definition: AgentDefinition,
  { config, known }: { readonly config: Config; readonly known: ProjectContext },
): Promise<AgentContext> {
  const { memory, skills = [], criticalSystemReminder_EXPERIMENTAL: critical } = definition;
  const notes = memory === undefined ? [] : [await notesText(notesFolder(config, memory, name))];
  // Their commands do not run: nobody has allowed them yet.
  const preloaded = skills.flatMap((skill) => {
    const file = known.prompts.get(skill);
    return file ? [skillText(skill, file.body.trim())] : [];
  });
  return { system: [...notes, ...(critical ? [critical] : [])], opening: preloaded };
}

/** The folder of an agent's notes. */
function notesFolder({ configDir, projectRoot }: Config, scope: string, name: string): string {
  // The name comes from the agent's author and must not lead to another folder.
  const folder = name.replace(/[^\w-]/g, "-");
  if (scope === "user") return join(configDir, "agent-memory", folder);
  return join(projectRoot, ".claude", scope === "local" ? "agent-memory-local" : "agent-memory", folder);
}

async function notesText(folder: string): Promise<string> {
  const file = join(folder, "MEMORY.md");
  const notes = await readRegularFile(file).catch(() => "");
  const shown = notes.length > MAX_NOTES_CHARS ? `${notes.slice(0, MAX_NOTES_CHARS)}… [cut]` : notes;
  const what = `You keep notes for later sessions in ${folder}; ${file} is shown to you at the start. Write down what will be useful later, and correct what has turned out to be wrong.`;
  return `${what}\n\n${shown.trim() === "" ? "There are no notes yet." : `<notes>\n${shown.trim()}\n</notes>`}`;
}

const skillText = (name: string, text: string) => `The skill ${name}; follow it where it applies:\n\n${text}`;
