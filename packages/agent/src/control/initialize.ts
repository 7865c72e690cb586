import {
  type Handlers,
  type HookRegistration,
  type hostRequests,
  ProtocolError,
  type RequestOf,
  type ResponseOf,
  type SlashCommand,
} from "@agentwire/protocol";
import { deferred } from "../deferred.ts";
import { CAPABILITIES, WIRE_VERSION } from "../init.ts";
import { MODELS } from "../model/models.ts";
import type { Runtime } from "../runtime.ts";
import { GENERAL } from "../subagent.ts";

/** The handshake: what the host wishes, and what there is. It may come again; then it replaces what was said before. */
export function initializeControl(runtime: Runtime): Handlers<typeof hostRequests> {
  return {
    async initialize(request) {
      const answered = deferred<void>();
      runtime.handshake = answered.promise;
      // The answer is written as soon as this returns; the prompts behind it come after.
      try {
        return await greet(runtime, request);
      } finally {
        setImmediate(() => answered.resolve());
      }
    },
  };
}

type Initialize = RequestOf<typeof hostRequests, "initialize">;

async function greet(
  runtime: Runtime,
  request: Initialize,
): Promise<ResponseOf<typeof hostRequests, "initialize">> {
  const { wishes, hooks, mcp, config, gate, session } = runtime;
  if (request.hooks) hooks.register(request.hooks as { [event: string]: readonly HookRegistration[] });
  if (request.systemPrompt) wishes.systemPrompt = request.systemPrompt.join("\n\n");
  if (request.appendSystemPrompt !== undefined) wishes.appendSystemPrompt = request.appendSystemPrompt;
  if (request.agents) wishes.agents = new Map(Object.entries(request.agents));
  if (request.forwardSubagentText !== undefined) wishes.forwardSubagentText = request.forwardSubagentText;
  if (request.jsonSchema !== undefined && config.jsonSchema === undefined)
    runtime.setSchema(schemaOf(request.jsonSchema));
  const parked = request.sdkMcpServerManifests ? mcp.park(request.sdkMcpServerManifests as never) : undefined;
  const named = (request.sdkMcpServers ?? []).map((name) => [name, { type: "sdk", name }] as const);
  if (named.length > 0) mcp.start(Object.fromEntries(named));
  const context = await (request.agents ? runtime.reloadContext() : runtime.context());
  return {
    commands: commandsOf(runtime, context.prompts.values()),
    agents: [["general-purpose", GENERAL] as const, ...context.agents].map(
      ([name, { description, model }]) => ({
        name,
        description,
        ...(model !== undefined && { model }),
      }),
    ),
    output_style: "default",
    available_output_styles: [...context.outputStyles.keys()],
    models: MODELS,
    account: { apiKeySource: config.env.ANTHROPIC_API_KEY ? "ANTHROPIC_API_KEY" : "none" },
    ...(parked && { sdk_mcp_manifests_parked: parked }),
    hooks_applied: true,
    hook_on_failure_supported: true,
    claude_code_version: WIRE_VERSION,
    pid: process.pid,
    current_model: runtime.model.current,
    current_permission_mode: gate.mode,
    session_state: session.isRunning ? "running" : "idle",
    capabilities: [...CAPABILITIES],
  };
}

/** The slash commands a host can offer. */
export function commandsOf(
  runtime: Runtime,
  prompts: Iterable<{ readonly name: string; readonly description: string; readonly argumentHint: string }>,
): SlashCommand[] {
  const own = runtime.session.parts.commands.list.map(({ name, description, argumentHint, aliases }) => ({
    name,
    description,
    argumentHint,
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    builtin: true,
  }));
  return [
    ...own,
    ...[...prompts].map(({ name, description, argumentHint }) => ({ name, description, argumentHint })),
  ];
}

function schemaOf(schema: unknown): { readonly [key: string]: unknown } {
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return { ...schema };
  throw new ProtocolError("invalid_request", "jsonSchema is not an object", { errorCode: "invalid_request" });
}
