import { resolve } from "node:path";
import { type AgentDefinition, readHostRequest } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import { UsageError } from "../usage-error.ts";
import type { PluginFolder } from "./plugins.ts";

/** What the command line and the host's `initialize` ask for, as far as it lasts. */
export interface HostOptions {
  systemPrompt: string | undefined;
  appendSystemPrompt: string | undefined;
  planModeInstructions: string | undefined;
  /** Whether what changes from session to session is kept out of the system prompt. */
  excludeDynamicSections: boolean;
  agents: ReadonlyMap<string, AgentDefinition>;
  skills: ReadonlySet<string> | undefined;
  plugins: readonly PluginFolder[];
  /** Repositories inside the workspace that count as folders of their own. */
  repoRoots: readonly string[];
  forwardSubagentText: boolean;
  /** Whether the host wants to hear what the user might say next. */
  promptSuggestions: boolean;
  /** Whether the host wants to hear what subagents are doing in their own words. */
  progressSummaries: boolean;
  /** Whether the system prompt of the first call is used for all that follow. */
  keepsSystemPrompt: boolean;
  /** Names under which the model may call a tool beside its own. */
  toolAliases: ReadonlyMap<string, string>;
  /** What the session is to be called. */
  title: string | undefined;
  /** Whether an interrupt leaves alone what runs in the background. */
  sparesTasks: boolean;
}

/** What the command line asks for; the host's `initialize` may add to it. */
export function optionsFromFlags(config: Config): HostOptions {
  const { flags, cwd } = config;
  const folders = (name: "plugin-dir" | "plugin-dir-no-mcp") =>
    flags.list(name).map((path) => ({ path: resolve(cwd, path), withServers: name === "plugin-dir" }));
  return {
    systemPrompt: config.systemPrompt,
    appendSystemPrompt: config.appendSystemPrompt,
    planModeInstructions: flags.text("plan-mode-instructions"),
    excludeDynamicSections: flags.has("exclude-dynamic-system-prompt-sections"),
    agents: agentsOf(flags.text("agents")),
    skills: undefined,
    plugins: [...folders("plugin-dir"), ...folders("plugin-dir-no-mcp")],
    promptSuggestions: flags.has("prompt-suggestions"),
    progressSummaries: false,
    keepsSystemPrompt:
      flags.has("system-prompt-snapshot") && flags.text("system-prompt-snapshot") !== "false",
    repoRoots: [],
    toolAliases: new Map(),
    forwardSubagentText: flags.has("forward-subagent-text"),
    sparesTasks: false,
    title: flags.text("name"),
  };
}

/** `--agents`: the same as `initialize.agents`, and read the same way. */
function agentsOf(text: string | undefined): ReadonlyMap<string, AgentDefinition> {
  if (text === undefined || text === "") return new Map();
  let agents: unknown;
  try {
    agents = JSON.parse(text);
  } catch (cause) {
    throw new UsageError("--agents: the value is not JSON", { cause });
  }
  const read = readHostRequest({ subtype: "initialize", agents });
  if (!read.ok) throw new UsageError(`--agents: ${read.reason}`);
  return new Map(Object.entries(("agents" in read.request && read.request.agents) || {}));
}
