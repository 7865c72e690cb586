import {
  FEATURES,
  isAtLeast,
  printVersion,
  type Release,
  type Version,
} from "@agentwire/protocol/compatibility";
import { HostError } from "../errors.ts";
import type { Options } from "../sdk/options.ts";
import type { OwnOptions } from "../sdk/own-options.ts";

interface Gate {
  /** The earliest release observed to support it; releases that were not examined count as without it. */
  readonly since: Release;
  /** The option that needs it. */
  readonly option: string;
}

type Gates = Readonly<Record<string, Gate>>;

const gate = (since: Release, option: string): Gate => ({ since, option });

/** Flags that make an older agent exit; flags not listed here are as old as the first agent that this host drives. */
const FLAG_GATES: Gates = {
  "--agent": gate("2.0.64", "agent"),
  "--agents": gate("1.0.128", "agents"),
  "--allow-dangerously-skip-permissions": gate("2.0.30", "allowDangerouslySkipPermissions"),
  "--await-claim": gate("2.1.290", "prewarm()"),
  "--await-initialize": gate("2.1.261", "pluginDelivery: 'initialize'"),
  "--betas": gate("2.0.64", "betas"),
  "--debug-file": gate("2.1.30", "debugFile"),
  "--effort": gate("2.1.44", "effort"),
  "--fallback-model": gate("1.0.40", "fallbackModel"),
  "--fork-session": gate("1.0.120", "forkSession"),
  "--include-hook-events": gate("2.1.90", "includeHookEvents"),
  "--include-partial-messages": gate("1.0.110", "includePartialMessages"),
  "--json-schema": gate("2.0.47", "outputFormat"),
  "--managed-settings": gate("2.1.150", "managedSettings"),
  "--managed-settings-in-initialize": gate("2.1.325", "managedSettings"),
  "--max-budget-usd": gate("2.0.30", "maxBudgetUsd"),
  "--max-thinking-tokens": gate("2.0.8", "maxThinkingTokens"),
  "--no-session-persistence": gate("2.0.64", "persistSession: false"),
  "--permission-prompt-tool=stdio": gate(
    FEATURES.stdio_permission_prompts.since,
    "canUseTool (permissions of a session)",
  ),
  "--permission-prompts": gate("2.1.261", "permissionPrompts"),
  "--plugin-dir": gate("2.0.30", "plugins"),
  "--plugin-dir-no-mcp": gate("2.1.200", "plugins with skipMcpDiscovery"),
  "--project-config-root": gate("2.1.290", "projectConfigRoot"),
  "--resume-drops-turn": gate("2.1.240", "resumeDropsTurn"),
  "--resume-session-at": gate("1.0.128", "resumeSessionAt"),
  "--session-id": gate("1.0.60", "sessionId"),
  "--session-mirror": gate(FEATURES.session_mirror.since, "sessionStore"),
  "--setting-sources": gate("1.0.128", "settingSources"),
  "--settings": gate("1.0.80", "settings"),
  "--strict-mcp-config": gate("1.0.60", "strictMcpConfig"),
  "--task-budget": gate("2.1.85", "taskBudget"),
  "--thinking": gate("2.1.51", "thinking"),
  "--thinking-display": gate("2.1.98", "thinking.display"),
  "--tools": gate("2.0.42", "tools"),
};

/** Keys of `initialize` that an older agent silently ignores. */
const INITIALIZE_GATES: Gates = {
  agentProgressSummaries: gate("2.1.75", "agentProgressSummaries"),
  excludeDynamicSections: gate("2.1.98", "systemPrompt.excludeDynamicSections"),
  forwardSubagentText: gate("2.1.150", "forwardSubagentText"),
  hooks: gate(FEATURES.control_requests.since, "hooks"),
  managedSettings: gate("2.1.325", "managedSettings"),
  perTaskStopAffordance: gate("2.1.261", "perTaskStopAffordance"),
  planModeInstructions: gate("2.1.150", "planModeInstructions"),
  plugins: gate("2.1.261", "pluginDelivery: 'initialize'"),
  promptSuggestions: gate("2.1.51", "promptSuggestions"),
  sdkMcpServerConfigs: gate("2.1.261", "timeout and tools of mcpServers of this process"),
  sdkMcpServers: gate(FEATURES.control_requests.since, "mcpServers of this process"),
  skills: gate("2.1.240", "skills"),
  supportedDialogKinds: gate("2.1.200", "supportedDialogKinds"),
  title: gate("2.1.325", "title"),
  toolAliases: gate("2.1.150", "toolAliases"),
};

/** Options that an older agent ignores in a prompt or in its environment. */
const OPTION_GATES: Gates = {
  enableFileCheckpointing: gate("2.0.47", "enableFileCheckpointing"),
  previewFormat: gate("2.1.69", "toolConfig.askUserQuestion.previewFormat"),
  verbatimPrompts: gate("2.1.248", "verbatimPrompts"),
};

/** Control requests that an older agent never answers. */
const REQUEST_GATES: Readonly<Record<string, Release>> = {
  apply_flag_settings: "2.1.51",
  background_tasks: "2.1.150",
  claim_session: "2.1.290",
  get_context_usage: "2.1.90",
  get_usage: "2.1.200",
  initialize: FEATURES.control_requests.since,
  interrupt: FEATURES.control_requests.since,
  mcp_read_resource: "2.1.290",
  mcp_reconnect: "2.1.30",
  mcp_set_servers: "2.0.70",
  mcp_status: "1.0.128",
  mcp_toggle: "2.1.30",
  read_file: "2.1.150",
  reload_output_styles: "2.1.261",
  reload_plugins: "2.1.85",
  reload_skills: "2.1.200",
  rewind_files: "2.0.64",
  seed_read_state: "2.1.85",
  set_max_thinking_tokens: "2.0.30",
  set_mcp_permission_mode_override: "2.1.200",
  set_model: "1.0.110",
  set_permission_mode: FEATURES.control_requests.since,
  stop_task: "2.1.44",
  update_settings: "2.1.261",
};

/** How prompts and subagents reach an agent, by its version. */
export const PROMPT_DELIVERY = {
  /** Since this release `initialize` accepts `systemPrompt`, `appendSystemPrompt` and `agents`; earlier ones need flags. */
  inInitialize: "2.0.77",
  /** Since this release `initialize` accepts `systemPrompt` in parts; earlier ones need one text. */
  inParts: "2.1.110",
} as const satisfies Readonly<Record<string, Release>>;

/** Whether an agent is at least of a release; one of unknown version counts as the newest. */
export function isSince(version: Version | undefined, release: Release): boolean {
  return version === undefined || isAtLeast(version, release);
}

/** Throws for the first flag that would make this agent exit. */
export function requireFlags(args: readonly string[], version: Version | undefined): void {
  for (const arg of args) {
    requireGate(FLAG_GATES, arg, version);
    requireGate(FLAG_GATES, arg.slice(0, Math.max(0, arg.indexOf("="))), version);
  }
}

/** Throws for the first key of `initialize` that this agent would ignore. */
export function requireInitialize(
  initialize: Readonly<Record<string, unknown>>,
  version: Version | undefined,
): void {
  for (const [key, value] of Object.entries(initialize)) {
    if (value !== undefined) requireGate(INITIALIZE_GATES, key, version);
  }
}

/** Throws for the first option that this agent would ignore in a prompt or in its environment. */
export function requireOptions(options: Options, version: Version | undefined): void {
  const given = { ...options, previewFormat: options.toolConfig?.askUserQuestion?.previewFormat };
  for (const [name, value] of Object.entries(given)) if (value) requireGate(OPTION_GATES, name, version);
}

/** Throws if this agent would never answer a control request. */
export function requireRequest(subtype: string, version: Version | undefined): void {
  const since = Object.hasOwn(REQUEST_GATES, subtype) ? REQUEST_GATES[subtype] : undefined;
  if (version === undefined || since === undefined || isAtLeast(version, since)) return;
  const text = `${subtype} needs an agent of ${since} or later; this one is ${printVersion(version)}`;
  throw new HostError("unsupported_request", text);
}

function requireGate(gates: Gates, name: string, version: Version | undefined): void {
  const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
  if (version === undefined || gate === undefined || isAtLeast(version, gate.since)) return;
  const text = `${gate.option} needs an agent of ${gate.since} or later; this one is ${printVersion(version)}`;
  throw new HostError("unsupported_option", text);
}

/** Requests for which the agent may have to reach a model, a server or a disk first. */
const SLOW: ReadonlySet<string> = new Set([
  "apply_flag_settings",
  "claim_session",
  "get_context_usage",
  "get_usage",
  "initialize",
  "mcp_message",
  "mcp_read_resource",
  "mcp_reconnect",
  "mcp_set_servers",
  "mcp_toggle",
  "reload_plugins",
  "rewind_files",
  "set_model",
]);
const SLOW_MS = 660_000;

/** The deadline of a control request for which the default is too short; the official SDK waits forever. */
export function requestDeadline(subtype: string, given: OwnOptions["deadlines"]): number | undefined {
  return given?.requestMs ?? (SLOW.has(subtype) ? SLOW_MS : undefined);
}
