import { splitServers } from "../hosted/hosted-servers.ts";
import type { Options } from "../sdk/options.ts";
import { isManagedByInitialize } from "./initialize.ts";
import { withSandbox } from "./sandbox-settings.ts";
import { skillRules } from "./skill-rules.ts";

/** One command-line argument, or a flag whose value can be passed in another way if it is long. */
export type Argument = string | LongArgument;

/** A flag whose value may be too long for a command line. */
export interface LongArgument {
  readonly flag: string;
  readonly value: string;
  /** The other way: in a file whose path replaces the value, or in `initialize`, which contains it anyway. */
  readonly elsewhere: "file" | "initialize";
}

/**
 * The command line for a set of options, with the same flags in the same order as the official SDK. `promptFlags` are for an agent
 * that does not read prompts from `initialize`.
 */
export function argvOf(options: Options, promptFlags: readonly string[]): readonly Argument[] {
  return [
    ...["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
    ...promptFlags,
    ...modelFlags(options),
    ...debugFlags(options),
    ...permissionFlags(options),
    ...toolFlags(options),
    ...outputFlags(options),
    ...folderFlags(options),
    ...sessionFlags(options),
    ...settingsFlags(options),
  ];
}

function modelFlags(options: Options): Argument[] {
  const { effort, maxTurns, maxBudgetUsd, taskBudget, model, agent, betas, outputFormat } = options;
  return [
    ...thinkingFlags(options),
    ...(effort ? [`--effort=${effort}`] : []),
    ...(maxTurns ? [`--max-turns=${maxTurns}`] : []),
    ...given("--max-budget-usd", maxBudgetUsd),
    ...(taskBudget ? [`--task-budget=${taskBudget.total}`] : []),
    ...(model ? [`--model=${model}`] : []),
    ...(agent ? [`--agent=${agent}`] : []),
    ...(betas && betas.length > 0 ? [`--betas=${betas.join(",")}`] : []),
    ...(outputFormat?.type === "json_schema" && outputFormat.schema
      ? [initializeSays("--json-schema", JSON.stringify(outputFormat.schema))]
      : []),
  ];
}

function thinkingFlags({ thinking, maxThinkingTokens }: Options): string[] {
  const config = thinking ?? fromTokens(maxThinkingTokens);
  if (!config) return [];
  if (config.type === "disabled") return ["--thinking=disabled"];
  const budget = config.type === "enabled" ? config.budgetTokens : undefined;
  return [
    budget === undefined ? "--thinking=adaptive" : `--max-thinking-tokens=${budget}`,
    ...(config.display ? [`--thinking-display=${config.display}`] : []),
  ];
}

function fromTokens(tokens: number | undefined): Options["thinking"] {
  if (tokens === undefined) return undefined;
  return tokens === 0 ? { type: "disabled" } : { type: "enabled", budgetTokens: tokens };
}

function debugFlags({ debug, debugFile }: Options): string[] {
  if (debugFile) return [`--debug-file=${debugFile}`];
  return debug ? ["--debug"] : [];
}

function permissionFlags(options: Options): string[] {
  const { canUseTool, permissionPromptToolName, permissionPrompts, resume, sessionStore } = options;
  const asked = canUseTool ? "stdio" : permissionPromptToolName;
  return [
    ...(asked ? [`--permission-prompt-tool=${asked}`] : []),
    ...(permissionPrompts ? [`--permission-prompts=${permissionPrompts}`] : []),
    // A session of a store is resumed by its id: the newest one on this disk may be another.
    ...(options.continue && !sessionStore ? ["--continue"] : []),
    ...(resume ? [`--resume=${resume}`] : []),
  ];
}

function toolFlags(options: Options): Argument[] {
  const processServers = splitServers(options.mcpServers).others;
  const { disallowedTools = [], tools, settingSources, strictMcpConfig, permissionMode } = options;
  const { allowDangerouslySkipPermissions, fallbackModel } = options;
  const { allowedTools = [] } = options;
  const allowed = [
    ...allowedTools,
    ...skillRules(options.skills).filter((rule) => !allowedTools.includes(rule)),
  ];
  return [
    ...(allowed.length > 0 ? [`--allowedTools=${allowed.join(",")}`] : []),
    ...(disallowedTools.length > 0 ? [`--disallowedTools=${disallowedTools.join(",")}`] : []),
    ...(tools === undefined ? [] : [`--tools=${Array.isArray(tools) ? tools.join(",") : "default"}`]),
    ...(Object.keys(processServers).length > 0
      ? [orFile("--mcp-config", JSON.stringify({ mcpServers: processServers }))]
      : []),
    ...given("--setting-sources", settingSources?.join(",")),
    ...(strictMcpConfig ? ["--strict-mcp-config"] : []),
    ...(permissionMode ? [`--permission-mode=${permissionMode}`] : []),
    ...(allowDangerouslySkipPermissions ? ["--allow-dangerously-skip-permissions"] : []),
    ...(fallbackModel ? [`--fallback-model=${fallbackModel}`] : []),
  ];
}

function outputFlags({ includeHookEvents, includePartialMessages, sessionStore }: Options): string[] {
  return [
    ...(includeHookEvents ? ["--include-hook-events"] : []),
    ...(includePartialMessages ? ["--include-partial-messages"] : []),
    ...(sessionStore ? ["--session-mirror"] : []),
  ];
}

function folderFlags(options: Options): string[] {
  const { projectConfigRoot, additionalDirectories = [], plugins = [], pluginDelivery } = options;
  const [byFlag, byInitialize] = pluginDelivery === "initialize" ? [[], plugins] : [plugins, []];
  return [
    ...given("--project-config-root", projectConfigRoot),
    ...additionalDirectories.map((folder) => `--add-dir=${folder}`),
    // The agent must apply the plugins or settings in `initialize` before it loads anything else.
    ...(byInitialize.length > 0 || isManagedByInitialize(options) ? ["--await-initialize"] : []),
    ...byFlag.map(({ path, skipMcpDiscovery }) =>
      skipMcpDiscovery ? `--plugin-dir-no-mcp=${path}` : `--plugin-dir=${path}`,
    ),
  ];
}

function sessionFlags(options: Options): string[] {
  const { forkSession, resumeSessionAt, resumeDropsTurn, sessionId, persistSession } = options;
  return [
    ...(forkSession ? ["--fork-session"] : []),
    ...(resumeSessionAt ? [`--resume-session-at=${resumeSessionAt}`] : []),
    ...given("--resume-drops-turn", resumeDropsTurn),
    ...(sessionId ? [`--session-id=${sessionId}`] : []),
    ...(persistSession === false ? ["--no-session-persistence"] : []),
  ];
}

function settingsFlags(options: Options): Argument[] {
  const { managedSettings, extraArgs = {} } = options;
  const { settings: extraSettings, ...extra } = extraArgs;
  const settings = withSandbox(settingsText(options) ?? extraSettings ?? undefined, options.sandbox);
  const isInInitialize = isManagedByInitialize(options);
  return [
    ...(isInInitialize ? ["--managed-settings-in-initialize"] : []),
    ...(managedSettings && !isInInitialize
      ? twoTokens("--managed-settings", JSON.stringify(managedSettings))
      : []),
    ...Object.entries(extra).flatMap(([name, value]) =>
      value === null || value === undefined ? [`--${name}`] : twoTokens(`--${name}`, value),
    ),
    ...(settings === undefined ? [] : settingsArguments(settings)),
  ];
}

function settingsText({ settings }: Options): string | undefined {
  if (!settings) return undefined;
  return typeof settings === "string" ? settings : JSON.stringify(settings);
}

function settingsArguments(settings: string): Argument[] {
  return settings.trimStart().startsWith("{")
    ? [orFile("--settings", settings)]
    : twoTokens("--settings", settings);
}

const orFile = (flag: string, value: string): Argument => ({ flag, value, elsewhere: "file" });
const initializeSays = (flag: string, value: string): Argument => ({ flag, value, elsewhere: "initialize" });

/** A value that looks like a flag must be joined to its flag. */
function twoTokens(flag: string, value: string): string[] {
  return value.length > 1 && value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

function given(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${flag}=${value}`];
}
