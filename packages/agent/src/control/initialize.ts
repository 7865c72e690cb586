import type { Handlers } from "@agentwire/protocol";
import type { hostRequests, RequestOf, ResponseOf, SlashCommand } from "@agentwire/protocol/control";
import type { PluginFolder } from "../config/from-flags.ts";
import { WIRE_VERSION } from "../config/version.ts";
import type { PromptFile } from "../context/context.ts";
import type { HostOptions } from "../context/host-options.ts";
import { ownedDescription } from "../context/prompt-files.ts";
import { deferred } from "../deferred.ts";
import type { HostLink } from "../host/host-link.ts";
import { offeredModels } from "../model/models.ts";
import type { SessionContext } from "../session/context.ts";
import { CAPABILITIES } from "../session/init.ts";
import { outputStyleOf } from "../session/next-call.ts";
import { startPluginServers } from "../session/servers.ts";
import type { Session } from "../session/session.ts";
import { GENERAL, GENERAL_PURPOSE } from "../subagent/definition.ts";
import { tellBackgroundTasks } from "../tasks/notices.ts";
import { structuredOutput } from "../tools/session/structured-output.ts";
import { NO_FAST_MODE } from "../turn/result.ts";

/** The handshake: the host sends its options, the agent answers with what it offers. Repeating it replaces earlier options. */
export function initializeControl(session: Session): Handlers<typeof hostRequests> {
  const { hostInput, host, workspace, config } = session.context;
  let isGreeted = false;
  return {
    async initialize(request, { addToAnswer }) {
      const answered = deferred<void>();
      hostInput.hold(answered.promise);
      const isRepeated = isGreeted;
      isGreeted = true;
      if (isRepeated) addToAnswer(openQuestions(host));
      // The answer is written as soon as this returns; prompts are held back until then.
      try {
        return await greet(session, request);
      } finally {
        setImmediate(() => {
          // A host that initializes again has lost track of what is running.
          if (isRepeated) tellBackgroundTasks(workspace);
          // The process is started with its keys and tokens, so signing in is never necessary.
          if (config.authStatus) workspace.tell({ type: "auth_status", isAuthenticating: false, output: [] });
          answered.resolve();
        });
      }
    },
  };
}

/** The questions that a host has not answered yet when it initializes again. */
function openQuestions({ unanswered }: HostLink) {
  const asked = (subtype: string) => unanswered.filter(({ request }) => request.subtype === subtype);
  const permissions = asked("can_use_tool");
  const elicitations = asked("elicitation");
  return {
    ...(permissions.length > 0 && { pending_permission_requests: permissions }),
    ...(elicitations.length > 0 && { pending_elicitation_requests: elicitations }),
  };
}

type Initialize = RequestOf<typeof hostRequests, "initialize">;

async function greet(
  session: Session,
  request: Initialize,
): Promise<ResponseOf<typeof hostRequests, "initialize">> {
  const { context } = session;
  const { hooks, mcp, config, gate, files, models, hostOptions } = context;
  if (request.hooks) hooks.register(request.hooks);
  takeOptions(hostOptions, request);
  if (request.jsonSchema !== undefined && config.jsonSchema === undefined)
    context.structured = structuredOutput(request.jsonSchema);
  const parked = request.sdkMcpServerManifests && mcp.park(request.sdkMcpServerManifests);
  const servers = hostServers(request);
  if (servers.length > 0) mcp.start(Object.fromEntries(servers));
  const changesFiles = request.agents ?? request.skills ?? request.plugins;
  const known = await (changesFiles ? files.reload() : files.load());
  if (request.plugins) await startPluginServers(context);
  return {
    commands: commandsOf(context),
    agents: [[GENERAL_PURPOSE, GENERAL] as const, ...known.agents].map(([name, { description, model }]) => ({
      name,
      description,
      ...(model !== undefined && { model }),
    })),
    output_style: outputStyleOf(context),
    available_output_styles: [...known.outputStyles.keys()],
    models: offeredModels(config.modelNames, models.catalog),
    account: { apiKeySource: config.credentials.apiKey ? "ANTHROPIC_API_KEY" : "none" },
    ...(parked && { sdk_mcp_manifests_parked: parked }),
    hooks_applied: true,
    hook_on_failure_supported: true,
    ...(request.plugins && { plugins_applied: true }),
    claude_code_version: WIRE_VERSION,
    pid: process.pid,
    current_model: models.current,
    current_permission_mode: gate.mode,
    session_state: session.isRunning ? "running" : "idle",
    capabilities: [...CAPABILITIES],
    ...NO_FAST_MODE,
  };
}

/** The servers in the host's process, each with the host's configuration of its calls. */
function hostServers({ sdkMcpServers = [], sdkMcpServerConfigs }: Initialize) {
  const configs = new Map(Object.entries(sdkMcpServerConfigs ?? {}));
  return sdkMcpServers.map((name) => {
    const { timeout, tools } = configs.get(name) ?? {};
    const config = {
      type: "sdk" as const,
      name,
      // A shorter timeout was probably given in seconds.
      ...(timeout !== undefined && timeout >= MIN_TIMEOUT_MS && { timeout }),
      ...(tools && { tools }),
    };
    return [name, config] as const;
  });
}

const MIN_TIMEOUT_MS = 1_000;

/** Options that the host sends replace earlier ones; all others stay. */
function takeOptions(options: HostOptions, request: Initialize): void {
  if (request.systemPrompt) options.systemPrompt = request.systemPrompt.join("\n\n");
  options.appendSystemPrompt = request.appendSystemPrompt ?? options.appendSystemPrompt;
  options.planModeInstructions = request.planModeInstructions ?? options.planModeInstructions;
  options.excludeDynamicSections = request.excludeDynamicSections ?? options.excludeDynamicSections;
  options.forwardSubagentText = request.forwardSubagentText ?? options.forwardSubagentText;
  options.sparesTasks = request.perTaskStopAffordance ?? options.sparesTasks;
  options.promptSuggestions = request.promptSuggestions ?? options.promptSuggestions;
  options.progressSummaries = request.agentProgressSummaries ?? options.progressSummaries;
  options.keepsSystemPrompt = request.systemPromptSnapshot ?? options.keepsSystemPrompt;
  options.title = request.title ?? options.title;
  if (request.toolAliases) options.toolAliases = new Map(Object.entries(request.toolAliases));
  if (request.agents) options.agents = new Map([...options.agents, ...Object.entries(request.agents)]);
  if (request.skills) options.skills = new Set(request.skills);
  if (request.plugins) options.plugins = request.plugins.map(pluginFolder);
}

/** The folder of a plugin that a host lists. */
export function pluginFolder({ path, skipMcpDiscovery }: PluginConfig): PluginFolder {
  return { path, withServers: skipMcpDiscovery !== true };
}

type PluginConfig = NonNullable<Initialize["plugins"]>[number];

/** The slash commands that a host can offer to its user. */
export function commandsOf({ commands, files, mcp }: SessionContext): SlashCommand[] {
  const own = commands.list.map(({ name, description, argumentHint, aliases }) => ({
    name,
    description,
    argumentHint,
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    builtin: true,
  }));
  const written = [...files.known.prompts.values()].map(promptCommand);
  const offered = mcp
    .prompts()
    .map(({ name, description, argumentHint }) => ({ name, description, argumentHint }));
  return [...own, ...written, ...offered];
}

/** A command or skill from a file, as a slash command. */
export const promptCommand = (prompt: PromptFile): SlashCommand => ({
  name: prompt.name,
  description: ownedDescription(prompt),
  argumentHint: prompt.argumentHint,
});
