import type { hostRequests, RequestOf } from "@agentwire/protocol/control";
import type { HookRegistry } from "../hosted/hook-registry.ts";
import type { HostedServers, Manifests } from "../hosted/hosted-servers.ts";
import type { Options } from "../sdk/options.ts";
import { systemPromptOf } from "./system-prompt.ts";

/** The parameters of `initialize`. */
export type Initialize = RequestOf<typeof hostRequests, "initialize">;

/** What `initialize` depends on beside the options. */
export interface InitializeContext {
  readonly hooks: HookRegistry;
  readonly servers: HostedServers;
  /** What the servers in this process answered to the handshake that the agent may skip then. */
  readonly manifests?: Manifests | undefined;
  readonly managedSettingsInInitialize: boolean;
}

/** The `initialize` request for a set of options: what the official SDK sends, key by key; undefined is left out on the wire. */
export function initializeOf(options: Options, context: InitializeContext): Initialize {
  const { hooks, servers, manifests, managedSettingsInInitialize } = context;
  const { replace, append, excludeDynamicSections, snapshot } = systemPromptOf(options);
  const { outputFormat, skills, plugins = [] } = options;
  const request = {
    hooks: options.hooks && hooks.registrations,
    sdkMcpServers: servers.names.length > 0 ? servers.names : undefined,
    sdkMcpServerConfigs: servers.settings,
    sdkMcpServerManifests: manifests,
    jsonSchema: outputFormat?.type === "json_schema" ? outputFormat.schema : undefined,
    systemPrompt: replace,
    appendSystemPrompt: append,
    planModeInstructions: options.planModeInstructions,
    systemPromptSnapshot: snapshot,
    toolAliases: options.toolAliases,
    excludeDynamicSections,
    agents: options.agents,
    title: options.title,
    skills: Array.isArray(skills) ? skills : undefined,
    promptSuggestions: options.promptSuggestions,
    agentProgressSummaries: options.agentProgressSummaries,
    forwardSubagentText: options.forwardSubagentText,
    supportedDialogKinds: options.supportedDialogKinds,
    perTaskStopAffordance: options.perTaskStopAffordance,
    plugins: options.pluginDelivery === "initialize" && plugins.length > 0 ? plugins : undefined,
    managedSettings: managedSettingsInInitialize ? options.managedSettings : undefined,
  };
  // The options are the caller's own types; on the wire an undefined key is no key.
  return request as Initialize;
}
