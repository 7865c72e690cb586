import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { PluginFolder } from "../config/from-flags.ts";

/** The options from the command line and the host's `initialize` that stay in effect for the session. */
export interface HostOptions {
  systemPrompt: string | undefined;
  appendSystemPrompt: string | undefined;
  planModeInstructions: string | undefined;
  /** Whether parts that differ between sessions are kept out of the system prompt. */
  excludeDynamicSections: boolean;
  agents: ReadonlyMap<string, AgentDefinition>;
  skills: ReadonlySet<string> | undefined;
  plugins: readonly PluginFolder[];
  /** Repositories inside the workspace whose notes and `.claude` folders are also read. */
  repoRoots: readonly string[];
  forwardSubagentText: boolean;
  /** Whether the host wants suggestions for the user's next prompt. */
  promptSuggestions: boolean;
  /** Whether the host wants progress reports written by the subagents. */
  progressSummaries: boolean;
  /** Whether the system prompt of the first call is reused for all later ones. */
  keepsSystemPrompt: boolean;
  /** Additional names under which the model may call a tool. */
  toolAliases: ReadonlyMap<string, string>;
  /** The title for the session. */
  title: string | undefined;
  /** Whether an interrupt leaves background tasks running. */
  sparesTasks: boolean;
}

/** The options of the command line; the host's `initialize` may add to them. */
export function optionsFromFlags(config: Config): HostOptions {
  return {
    systemPrompt: config.systemPrompt,
    appendSystemPrompt: config.appendSystemPrompt,
    planModeInstructions: config.planModeInstructions,
    excludeDynamicSections: config.excludeDynamicSections,
    agents: config.agents,
    skills: undefined,
    plugins: config.plugins,
    promptSuggestions: config.promptSuggestions,
    progressSummaries: false,
    keepsSystemPrompt: config.keepsSystemPrompt,
    repoRoots: [],
    toolAliases: new Map(),
    forwardSubagentText: config.forwardSubagentText,
    sparesTasks: false,
    title: config.title,
  };
}
