import { join } from "node:path";
import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Environment } from "../config/from-environment.ts";
import type { PluginFolder } from "../config/from-flags.ts";
import type { Trust } from "../settings/trust.ts";
import { toAgent, withheldKeys } from "./agent-files.ts";
import type { ProjectContext } from "./context.ts";
import { type FileOwner, type MarkdownFile, markdownFiles, type NamedFolder } from "./markdown-files.ts";
import { memoryFiles, memoryText } from "./memory.ts";
import { BUILT_IN_STYLES } from "./output-styles.ts";
import { readPlugins } from "./plugins.ts";
import { promptFiles } from "./prompt-files.ts";

/** Where to look, and which sources to read. */
export interface ContextSources {
  readonly configDir: string;
  readonly cwd: string;
  /** The environment for the commands in prompts. */
  readonly env: Environment;
  /** The folder whose `.claude` is the project's. */
  readonly projectRoot: string;
  readonly home: string;
  /** Which of `user`, `project` and `local` to read. */
  readonly sources: ReadonlySet<string>;
  readonly plugins: readonly PluginFolder[];
  readonly trust: Trust;
  /** Repositories inside the workspace whose notes and `.claude` folders are also read. */
  readonly repoRoots: readonly string[];
  /** The host's own agents. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** The skills that the host wants; undefined for all. */
  readonly skills: ReadonlySet<string> | undefined;
}

/** Reads what the user and the project have written for the agent, and the plugins that the host provides. */
export async function loadContext(places: ContextSources): Promise<ProjectContext> {
  const { configDir, cwd, home, sources, skills, repoRoots } = places;
  const plugins = await readPlugins(places.plugins);
  const folders: readonly NamedFolder[] = [
    ...plugins.map(({ path, name }) => ({
      folder: path,
      prefix: `${name}:`,
      owner: name,
      kind: "plugin" as const,
    })),
    ...(sources.has("user") ? [{ folder: configDir, prefix: "", owner: "user", kind: "user" as const }] : []),
    ...(sources.has("project") ? await projectFolders(places) : []),
  ];
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
    promptFiles(folders, places),
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
      ...agents.map(({ name, file, kind }) => [name, toAgent(name, file, kind)] as const),
      ...places.agents,
    ]),
    outputStyles: new Map([
      ...BUILT_IN_STYLES,
      ...styles.map(({ name, file }) => [name, file.body.trim()] as const),
    ]),
    plugins,
    withheld: [
      ...agents.flatMap(({ file, kind }) =>
        kind === "stranger" ? withheldIn(file, withheldKeys(file)) : [],
      ),
      ...[...prompts.values()].flatMap((prompt) => withheldIn(prompt, prompt.withheld)),
    ],
  };
}

/** The folders of the project, owned by a `stranger` until the user trusts them. */
function projectFolders({ projectRoot, repoRoots, trust }: ContextSources): Promise<readonly NamedFolder[]> {
  return Promise.all(
    [projectRoot, ...repoRoots].map(async (root) => ({
      folder: join(root, ".claude"),
      prefix: "",
      owner: "project",
      kind: (await trust.trusts(root)) ? ("project" as const) : ("stranger" as const),
    })),
  );
}

const withheldIn = ({ path }: { readonly path: string }, what: readonly string[]) =>
  what.map((one) => ({ path, what: one }));

/** A file with its name and owner. */
interface NamedFile {
  readonly name: string;
  readonly file: MarkdownFile;
  readonly kind: FileOwner;
}

async function namedFiles(
  folders: readonly NamedFolder[],
  below: "agents" | "output-styles",
): Promise<readonly NamedFile[]> {
  const found = await Promise.all(
    folders.map(async ({ folder, prefix, kind }) =>
      (await markdownFiles(join(folder, below))).map((file) => ({ name: prefix + nameOf(file), file, kind })),
    ),
  );
  return found.flat();
}

const nameOf = (file: MarkdownFile) => (typeof file.front.name === "string" ? file.front.name : file.name);
