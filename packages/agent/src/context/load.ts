import { join, sep } from "node:path";
import type { AgentDefinition } from "@agentwire/protocol";
import { type AgentFileOwner, toAgent } from "./agent-files.ts";
import type { ProjectContext } from "./context.ts";
import { type MarkdownFile, markdownFiles, type NamedFolder } from "./markdown-files.ts";
import { memoryFiles, memoryText } from "./memory.ts";
import { BUILT_IN_STYLES } from "./output-styles.ts";
import { type PluginFolder, readPlugins } from "./plugins.ts";
import { promptFiles } from "./prompt-files.ts";

/** Where to look, and in which sources. */
export interface ContextPlaces {
  readonly configDir: string;
  readonly cwd: string;
  /** The folder whose `.claude` is the project's. */
  readonly projectRoot: string;
  readonly home: string;
  /** Which of `user`, `project` and `local` the host allows. */
  readonly sources: ReadonlySet<string>;
  readonly plugins: readonly PluginFolder[];
  /** Repositories inside the workspace whose notes and `.claude` count as well. */
  readonly repoRoots: readonly string[];
  /** The host's own agents. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** The skills that the host wants; undefined: all. */
  readonly skills: ReadonlySet<string> | undefined;
}

/** Reads what the user and the project have written down for the agent, and the plugins that the host brings along. */
export async function loadContext(places: ContextPlaces): Promise<ProjectContext> {
  const { configDir, cwd, home, sources, skills, repoRoots } = places;
  const plugins = await readPlugins(places.plugins);
  const folders: readonly NamedFolder[] = [
    ...plugins.map(({ path, name }) => ({ folder: path, prefix: `${name}:`, owner: name })),
    ...(sources.has("user") ? [{ folder: configDir, prefix: "", owner: "user" }] : []),
    ...(sources.has("project")
      ? [places.projectRoot, ...repoRoots].map((root) => ({
          folder: join(root, ".claude"),
          prefix: "",
          owner: "project",
        }))
      : []),
  ];
  const ownerOf = ({ path }: MarkdownFile): AgentFileOwner => {
    const isIn = (folder: string) => path.startsWith(join(folder, sep));
    if (plugins.some((plugin) => isIn(plugin.path))) return "plugin";
    return isIn(join(configDir, "agents")) ? "user" : "project";
  };
  const [memory, prompts, agents, styles] = await Promise.all([
    memoryFiles({
      configDir,
      cwd,
      repoRoots,
      home,
      user: sources.has("user"),
      project: sources.has("project"),
      local: sources.has("local"),
    }),
    promptFiles(folders, cwd),
    namedFiles(folders, "agents"),
    namedFiles(folders, "output-styles"),
  ]);
  return {
    memory: memoryText(memory),
    memoryFiles: memory,
    prompts: new Map(
      [...prompts].filter(([name, { kind }]) => kind !== "skill" || (skills?.has(name) ?? true)),
    ),
    agents: new Map([
      ...agents.map(([name, file]) => [name, toAgent(name, file, ownerOf(file))] as const),
      ...places.agents,
    ]),
    outputStyles: new Map([
      ...BUILT_IN_STYLES,
      ...styles.map(([name, file]) => [name, file.body.trim()] as const),
    ]),
    plugins,
  };
}

async function namedFiles(
  folders: readonly NamedFolder[],
  kind: string,
): Promise<readonly (readonly [string, MarkdownFile])[]> {
  const found = await Promise.all(
    folders.map(async ({ folder, prefix }) =>
      (await markdownFiles(join(folder, kind))).map((file) => [prefix + nameOf(file), file] as const),
    ),
  );
  return found.flat();
}

const nameOf = (file: MarkdownFile) => (typeof file.front.name === "string" ? file.front.name : file.name);
