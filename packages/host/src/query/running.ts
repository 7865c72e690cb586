import { supports, type Version } from "@agentwire/protocol/compatibility";
import { HostError } from "../errors.ts";
import { captureManifests } from "../hosted/capture-manifests.ts";
import type { HookRegistry } from "../hosted/hook-registry.ts";
import type { HostedServers } from "../hosted/hosted-servers.ts";
import { handlersOf } from "../hosted/requests.ts";
import { openLink } from "../link/agent-link.ts";
import type { Link } from "../link/link.ts";
import { type Environment, environmentOf } from "../options/environment.ts";
import { type HostFeatures, type Initialize, initializeOf } from "../options/initialize.ts";
import { type Prepared, prepareLaunch } from "../options/launch.ts";
import { requestDeadline } from "../options/version-gates.ts";
import type { SDKControlInitializeResponse } from "../sdk/control-answers.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import { restoreSession } from "../store/stored-session.ts";
import { type MirrorFailure, mirrorTo, type TranscriptMirror } from "../store/transcript-mirror.ts";
import { queryAgent } from "./query-agent.ts";

/** The surroundings that a session is started in. */
export interface RunningContext {
  /** The environment of the host itself. */
  readonly inherited: Environment;
  readonly readsStartupMarks?: boolean;
  /** Called when a part of the session could not be written to its store. */
  readonly onMirrorFailure: (failure: MirrorFailure) => void;
}

/** An agent that runs and has been sent its options. */
export interface Running {
  readonly link: Link;
  readonly version: Version | undefined;
  /** The answer to `initialize`. */
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /** Resolves when prompts may be sent; rejects if the guards they rely on are not active. */
  readonly ready: Promise<void>;
  /** Rejects if the agent refuses options that only `initialize` carries. */
  readonly honored: Promise<void>;
  readonly mirror: TranscriptMirror | undefined;
  readonly givesReceipts: boolean;
}

/** Finds the agent, starts it as its version requires, and sends `initialize`. */
export async function startAgent(
  given: QueryOptions,
  hosting: HostFeatures,
  context: RunningContext,
): Promise<Running> {
  const { inherited, onMirrorFailure } = context;
  const restored = await restoreSession(given, inherited);
  const { options } = restored;
  const env = environmentOf(options, context);
  const prepared = await prepare(options, env, hosting).catch(async (error: unknown) => {
    await restored.remove();
    throw error;
  });
  const link = open(options, prepared, hosting);
  void link.ended.then(async () => {
    await Promise.all([prepared.remove(), restored.remove()]);
  });
  const initialized = initialize(link, prepared.initialize, hosting.servers, inherited, options.agentwire);
  initialized.answer.catch(() => undefined);
  await initialized.sent;
  const { version } = prepared.launch;
  return {
    link,
    version,
    initialized: initialized.answer,
    ready: confirmed(initialized.answer, hosting.hooks, prepared.initialize),
    honored: honored(initialized.answer, prepared.initialize),
    mirror: options.sessionStore && mirrorTo(options.sessionStore, options, env, onMirrorFailure),
    givesReceipts: supports(version, undefined, "interrupt_receipts"),
  };
}

async function prepare(options: QueryOptions, env: Environment, hosting: HostFeatures): Promise<Prepared> {
  const agent = await queryAgent(options, env);
  return await prepareLaunch(agent, env, { options, initialize: initializeOf(options, hosting) });
}

function open(options: QueryOptions, { launch }: Prepared, { hooks, servers }: HostFeatures): Link {
  const { cwd, abortController, stderr, spawnClaudeCodeProcess, agentwire = {} } = options;
  const { assumeVersion: _asked, ...own } = agentwire;
  return openLink(
    {
      ...launch,
      ...(cwd !== undefined && { cwd }),
      ...(stderr && { onStderr: stderr }),
      ...(spawnClaudeCodeProcess && { spawn: spawnClaudeCodeProcess }),
      ...(abortController && { signal: abortController.signal }),
      ...own,
    },
    handlersOf(options, hooks, servers),
  );
}

/** Sends `initialize`; prompts follow at once, without waiting for the answer. */
function initialize(
  link: Link,
  request: Initialize | undefined,
  servers: HostedServers,
  inherited: Environment,
  own: QueryOptions["agentwire"],
): { readonly sent: Promise<void>; readonly answer: Promise<SDKControlInitializeResponse> } {
  if (!request) return { sent: Promise.resolve(), answer: Promise.resolve(NOTHING_SAID) };
  const wanted = !inherited.CLAUDE_AGENT_SDK_DISABLE_MCP_MANIFESTS;
  const ask = (sdkMcpServerManifests?: Initialize["sdkMcpServerManifests"]) =>
    link.request(
      "initialize",
      { ...request, ...(sdkMcpServerManifests && { sdkMcpServerManifests }) },
      // An agent that ran the prompt without answering will not answer later.
      { deadlineMs: requestDeadline("initialize", own?.deadlines), holdsInput: false },
    ) as Promise<SDKControlInitializeResponse>;
  if (!wanted || servers.names.length === 0) return { sent: Promise.resolve(), answer: ask() };
  const manifests = captureManifests(servers) as Promise<Initialize["sdkMcpServerManifests"]>;
  return { sent: manifests.then(() => undefined), answer: manifests.then(ask) };
}

/** The answer assumed for an agent that can't be asked. */
const NOTHING_SAID: SDKControlInitializeResponse = {
  commands: [],
  agents: [],
  output_style: "default",
  available_output_styles: [],
  models: [],
  account: {},
};

/** An agent that refuses `initialize` must not continue without the hooks, servers, prompts and other options in it. */
async function honored(
  initialized: Promise<SDKControlInitializeResponse>,
  { systemPrompt, ...asked }: Initialize = {},
): Promise<void> {
  const isDefault = systemPrompt?.length === 1 && systemPrompt[0] === "";
  const wanted = Object.entries({ ...asked, ...(!isDefault && { systemPrompt }) })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  try {
    await initialized;
  } catch (cause) {
    if (!(cause instanceof HostError) || cause.code !== "request_failed" || wanted.length === 0) return;
    const text = `The agent refused initialize, and with it ${wanted.join(", ")}: ${cause.message}`;
    const { pid, stderr, errorCode } = cause;
    throw new HostError("unsupported_option", text, { cause, pid, stderr, errorCode });
  }
}

/** A prompt must not run before the guards it relies on are known to be active. */
async function confirmed(
  initialized: Promise<SDKControlInitializeResponse>,
  { mayBlock }: HookRegistry,
  asked: Initialize = {},
): Promise<void> {
  const managedSettings = asked.managedSettings !== undefined;
  if (!mayBlock && !managedSettings) return;
  const answer = (await initialized) as SDKControlInitializeResponse & { managed_settings_applied?: boolean };
  if (mayBlock && answer.hook_on_failure_supported !== true)
    throw new HostError(
      "unsupported_option",
      "This agent does not support onFailure: it does not block on a failing hook.",
    );
  if (mayBlock && answer.hooks_applied === false)
    throw new HostError(
      "unsupported_option",
      "This session was already running and did not register the hooks.",
    );
  if (managedSettings && answer.managed_settings_applied !== true)
    throw new HostError("unsupported_option", "This agent did not apply managedSettings.");
}
