import { join } from "node:path";
import { readRegularFile } from "@agentwire/local/files";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { ProjectContext } from "../context/context.ts";

/** What an agent is given beside its prompt. */
export interface AgentContext {
  /** Further pieces of its system prompt. */
  readonly system: readonly string[];
  /** What its conversation begins with, beside the first prompt. */
  readonly opening: readonly string[];
}

/** The context of an agent that asks for nothing. */
export const NO_AGENT_CONTEXT: AgentContext = { system: [], opening: [] };

/** More of its notes than this an agent has to read by itself. */
const MAX_NOTES_CHARS = 25_000;

/** Reads what an agent asks for: its notes of earlier sessions, and the skills that it is to know from the start. */
export async function agentContext(
  name: string,
  definition: AgentDefinition,
  { config, known }: { readonly config: Config; readonly known: ProjectContext },
): Promise<AgentContext> {
  const { memory, skills = [], criticalSystemReminder_EXPERIMENTAL: critical } = definition;
  const notes = memory === undefined ? [] : [await notesText(notesFolder(config, memory, name))];
  // As it is written: nobody has allowed the commands that a skill may have run when it is called for.
  const preloaded = skills.flatMap((skill) => {
    const file = known.prompts.get(skill);
    return file ? [skillText(skill, file.body.trim())] : [];
  });
  return { system: [...notes, ...(critical ? [critical] : [])], opening: preloaded };
}

/** Where an agent keeps its notes. */
function notesFolder({ configDir, projectRoot }: Config, scope: string, name: string): string {
  // A name comes from whoever wrote the agent, and must not lead anywhere else.
  const folder = name.replace(/[^\w-]/g, "-");
  if (scope === "user") return join(configDir, "agent-memory", folder);
  return join(projectRoot, ".claude", scope === "local" ? "agent-memory-local" : "agent-memory", folder);
}

async function notesText(folder: string): Promise<string> {
  const file = join(folder, "MEMORY.md");
  const notes = await readRegularFile(file).catch(() => "");
  const shown = notes.length > MAX_NOTES_CHARS ? `${notes.slice(0, MAX_NOTES_CHARS)}… [cut]` : notes;
  const what = `You keep notes for later sessions in ${folder}; ${file} is shown to you at the start. Write down what will be of use again, and correct what has turned out wrong.`;
  return `${what}\n\n${shown.trim() === "" ? "There are no notes yet." : `<notes>\n${shown.trim()}\n</notes>`}`;
}

const skillText = (name: string, text: string) =>
  `The skill ${name}, which you are to follow where it fits:\n\n${text}`;
