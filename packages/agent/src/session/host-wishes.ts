import { resolve } from "node:path";
import { type AgentDefinition, readHostRequest } from "@agentwire/protocol";
import type { Config } from "../config.ts";
import { UsageError } from "../usage-error.ts";
import type { HostWishes } from "./runtime.ts";

/** What the command line asks for; the host's `initialize` may add to it. */
export function firstWishes(config: Config): HostWishes {
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
