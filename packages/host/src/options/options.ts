import { HostError } from "../errors.ts";
import type { Options } from "../sdk/options.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import { checkOwnOptions } from "./own-options.ts";
import { withSandbox } from "./sandbox-settings.ts";
import { skillRules } from "./skill-rules.ts";

const KNOWN: Readonly<Record<keyof QueryOptions, true>> = {
  abortController: true,
  additionalDirectories: true,
  agent: true,
  agentProgressSummaries: true,
  agentwire: true,
  agents: true,
  allowDangerouslySkipPermissions: true,
  allowedTools: true,
  betas: true,
  canUseTool: true,
  continue: true,
  cwd: true,
  debug: true,
  debugFile: true,
  disallowedTools: true,
  effort: true,
  enableFileCheckpointing: true,
  env: true,
  executable: true,
  executableArgs: true,
  extraArgs: true,
  fallbackModel: true,
  forkSession: true,
  forwardSubagentText: true,
  hooks: true,
  includeHookEvents: true,
  includePartialMessages: true,
  loadTimeoutMs: true,
  managedSettings: true,
  maxBudgetUsd: true,
  maxThinkingTokens: true,
  maxTurns: true,
  mcpServers: true,
  model: true,
  onElicitation: true,
  onUserDialog: true,
  outputFormat: true,
  pathToClaudeCodeExecutable: true,
  perTaskStopAffordance: true,
  permissionMode: true,
  permissionPrompts: true,
  permissionPromptToolName: true,
  persistSession: true,
  planModeInstructions: true,
  pluginDelivery: true,
  plugins: true,
  projectConfigRoot: true,
  promptSuggestions: true,
  resume: true,
  resumeDropsTurn: true,
  resumeSessionAt: true,
  sandbox: true,
  sessionId: true,
  sessionStore: true,
  sessionStoreFlush: true,
  settings: true,
  settingSources: true,
  skills: true,
  spawnClaudeCodeProcess: true,
  stderr: true,
  strictMcpConfig: true,
  supportedDialogKinds: true,
  systemPrompt: true,
  taskBudget: true,
  thinking: true,
  title: true,
  toolAliases: true,
  toolConfig: true,
  tools: true,
  verbatimPrompts: true,
};

/** Throws at once for options that can't be honoured by any agent: unknown ones, and those that contradict each other. */
export function checkOptions(options: QueryOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(KNOWN, name))
      throw new HostError("unsupported_option", `${name} is not an option of this host`);
  }
  const fault = CONTRADICTIONS.find(({ holds }) => holds(options));
  if (fault) throw new HostError("invalid_option", fault.reason);
  const foreign = options.plugins?.find(({ type }) => type !== "local");
  if (foreign) throw new HostError("unsupported_option", `plugins of type ${foreign.type} can't be loaded`);
  checkOwnOptions(options.agentwire ?? {});
  // These throw what is wrong with a name or a file.
  skillRules(options.skills);
  if (options.sandbox && typeof options.settings === "string") withSandbox(options.settings, options.sandbox);
}

interface Contradiction {
  readonly holds: (options: Options) => boolean;
  readonly reason: string;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    holds: ({ canUseTool, permissionPromptToolName }) => Boolean(canUseTool && permissionPromptToolName),
    reason: "canUseTool and permissionPromptToolName both claim the permission questions: give one of them",
  },
  {
    holds: ({ model, fallbackModel }) => Boolean(model) && model === fallbackModel,
    reason: "fallbackModel is the model it should stand in for",
  },
  {
    holds: ({ supportedDialogKinds = [], onUserDialog }) => supportedDialogKinds.length > 0 && !onUserDialog,
    reason: "supportedDialogKinds promises dialogs that nobody shows: give onUserDialog too",
  },
  {
    holds: ({ sessionStore, persistSession }) => Boolean(sessionStore) && persistSession === false,
    reason:
      "sessionStore copies what the agent writes to disk, and persistSession: false has it write nothing",
  },
  {
    holds: (options) =>
      Boolean(options.sessionStore && options.continue && !options.resume) &&
      !options.sessionStore?.listSessions,
    reason: "continue with a sessionStore needs the store's listSessions to know which session is the newest",
  },
  {
    holds: ({ sessionStore, enableFileCheckpointing }) => Boolean(sessionStore && enableFileCheckpointing),
    reason:
      "enableFileCheckpointing keeps files that a sessionStore does not hold: after a resume they are missing",
  },
  {
    holds: ({ pluginDelivery }) => pluginDelivery !== undefined && !DELIVERIES.has(pluginDelivery),
    reason: "pluginDelivery is 'argv' or 'initialize'",
  },
];

const DELIVERIES: ReadonlySet<string> = new Set(["argv", "initialize"]);
