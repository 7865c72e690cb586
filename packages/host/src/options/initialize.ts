import type { Version } from "@agentwire/protocol/compatibility";
import type { hostRequests, RequestOf } from "@agentwire/protocol/control";
import { HostError } from "../errors.ts";
import type { HookRegistry } from "../hosted/hook-registry.ts";
import type { HostedServers } from "../hosted/hosted-servers.ts";
import type { Options } from "../sdk/options.ts";
import { isSince, PROMPT_DELIVERY } from "./version-gates.ts";

/** The parameters of `initialize`. */
export type Initialize = RequestOf<typeof hostRequests, "initialize">;

/** The parts of the host that an agent can call. */
export interface HostFeatures {
  readonly hooks: HookRegistry;
  readonly servers: HostedServers;
}

/** The `initialize` request for a set of options: what the official SDK sends, key by key; undefined keys are omitted on the wire. */
export function initializeOf(options: Options, { hooks, servers }: HostFeatures): Initialize {
  const { replace, append, excludeDynamicSections, snapshot } = systemPromptOf(options);
  const { outputFormat, skills, plugins = [] } = options;
  const request = {
    hooks: options.hooks && hooks.registrations,
    sdkMcpServers: servers.names.length > 0 ? servers.names : undefined,
    sdkMcpServerConfigs: servers.settings,
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
    managedSettings: isManagedByInitialize(options) ? options.managedSettings : undefined,
  };
  // The options have the caller's own types; on the wire, an undefined key is absent.
  return request as Initialize;
}

/** Managed settings longer than this are sent with `initialize`: a command line has no room for them. */
const MAX_MANAGED_CHARS = 24_576;

/** Whether `managedSettings` are sent with `initialize`. */
export function isManagedByInitialize({ managedSettings }: Options): boolean {
  return managedSettings !== undefined && JSON.stringify(managedSettings).length > MAX_MANAGED_CHARS;
}

/** The system prompt as it is sent to an agent. */
interface SystemPrompt {
  /** Replaces the agent's own prompt; undefined keeps it. */
  readonly replace?: readonly string[];
  readonly append?: string;
  readonly excludeDynamicSections?: boolean;
  readonly snapshot?: boolean;
}

/** Reads the `systemPrompt` option; without it the prompt is empty, as in the official SDK. */
function systemPromptOf({ systemPrompt }: Options): SystemPrompt {
  if (systemPrompt === undefined) return { replace: [""] };
  if (typeof systemPrompt === "string") return { replace: [systemPrompt] };
  if (Array.isArray(systemPrompt)) return { replace: systemPrompt };
  const { snapshot } = systemPrompt;
  const kept = snapshot === undefined ? {} : { snapshot };
  if (systemPrompt.type === "custom") {
    const { prompt } = systemPrompt;
    return { replace: typeof prompt === "string" ? [prompt] : prompt, ...kept };
  }
  const { append, excludeDynamicSections } = systemPrompt;
  return {
    ...(append !== undefined && { append }),
    ...(excludeDynamicSections !== undefined && { excludeDynamicSections }),
    ...kept,
  };
}

/** What `initialize` carries, and what flags must carry because this agent would not read it there. */
interface PromptDelivery {
  readonly initialize: Initialize;
  readonly flags: readonly string[];
}

/** Splits prompts and subagents between `initialize` and the command line, depending on what an agent of this version reads. */
export function deliverPrompts(initialize: Initialize, version: Version | undefined): PromptDelivery {
  if (isSince(version, PROMPT_DELIVERY.inParts)) return { initialize, flags: [] };
  const { systemPrompt, appendSystemPrompt, agents, ...rest } = initialize;
  const text = Array.isArray(systemPrompt) ? systemPrompt.join("\n\n") : systemPrompt;
  if (isSince(version, PROMPT_DELIVERY.inInitialize)) {
    // Older agents expect one text where newer ones expect a list.
    const asText = text === undefined ? {} : { systemPrompt: text as unknown as string[] };
    return { initialize: { ...rest, ...asText, appendSystemPrompt, agents }, flags: [] };
  }
  const flags = [
    ...promptFlag("--system-prompt", text),
    ...promptFlag("--append-system-prompt", appendSystemPrompt),
    ...(agents ? ["--agents", JSON.stringify(agents)] : []),
  ];
  return { initialize: rest, flags };
}

const MAX_PROMPT_BYTES = 100_000;

function promptFlag(flag: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  if (Buffer.byteLength(text) < MAX_PROMPT_BYTES) return [`${flag}=${text}`];
  throw new HostError(
    "unsupported_option",
    `systemPrompt is too long for this agent, which takes it only as a flag`,
  );
}
