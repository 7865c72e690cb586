import { join } from "node:path";
import type { AgentDefinition } from "@agentwire/protocol";
import type { ProjectContext } from "./context.ts";
import { listOf, type MarkdownFile, markdownFiles } from "./markdown-files.ts";
import { memoryFiles, memoryText } from "./memory.ts";
import { promptFiles } from "./prompt-files.ts";

/** Where to look, and in which sources. */
export interface ContextPlaces {
  readonly configDir: string;
  readonly cwd: string;
  readonly home: string;
  /** Which of `user`, `project` and `local` the host allows. */
  readonly sources: ReadonlySet<string>;
  /** The host's own agents. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
}

/** Reads what the user and the project have written down for the agent. */
export async function loadContext(places: ContextPlaces): Promise<ProjectContext> {
  const { configDir, cwd, home, sources } = places;
  const folders = [
    ...(sources.has("user") ? [configDir] : []),
    ...(sources.has("project") ? [join(cwd, ".claude")] : []),
  ];
  const [memory, prompts, agents, styles] = await Promise.all([
    memoryFiles({
      configDir,
      cwd,
      home,
      user: sources.has("user"),
      project: sources.has("project"),
      local: sources.has("local"),
    }),
    promptFiles(folders, cwd),
    Promise.all(folders.map((folder) => markdownFiles(join(folder, "agents")))),
    Promise.all(folders.map((folder) => markdownFiles(join(folder, "output-styles")))),
  ]);
  return {
    memory: memoryText(memory),
    memoryFiles: memory,
    prompts,
    agents: new Map([...agents.flat().map(toAgent), ...places.agents]),
    outputStyles: new Map([
      ["default", ""] as const,
      ...styles.flat().map((file) => [nameOf(file), file.body.trim()] as const),
    ]),
  };
}

const nameOf = (file: MarkdownFile) => (typeof file.front.name === "string" ? file.front.name : file.name);

function toAgent(file: MarkdownFile): readonly [string, AgentDefinition] {
  const { front, body } = file;
  const tools = listOf(front.tools);
  const refused = listOf(front.disallowedTools);
  return [
    nameOf(file),
    {
      description: typeof front.description === "string" ? front.description : nameOf(file),
      prompt: body.trim(),
      ...(tools && { tools }),
      ...(refused && { disallowedTools: refused }),
      ...(typeof front.model === "string" && { model: front.model }),
    },
  ];
}
