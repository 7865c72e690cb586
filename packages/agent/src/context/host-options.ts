import type { AgentDefinition } from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import type { PluginFolder } from "../config/from-flags.ts";

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
