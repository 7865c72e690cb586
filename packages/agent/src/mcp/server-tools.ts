import type { JsonObject } from "@agentwire/protocol";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { keepIn } from "./keep-file.ts";
import type { ListedTool } from "./listing.ts";
import { toOutcome } from "./outcome.ts";
import type { Server } from "./server.ts";
import { sourceOf } from "./status.ts";
import { displayName, qualifiedName } from "./tool-names.ts";

/** The tools of one server, prepared for the model. Tools whose names no model could use are left out. */
export function serverTools(server: Server, toolTimeoutMs: number): readonly Tool[] {
  return server.offer.tools.flatMap((listed) => serverTool(server, listed, toolTimeoutMs) ?? []);
}

function serverTool(server: Server, listed: ListedTool, toolTimeoutMs: number): Tool | undefined {
  const name = qualifiedName(server.name, listed.name);
  if (name === undefined) return undefined;
  const { config } = server;
  const ownTimeoutMs = "timeout" in config ? (config.timeout ?? 0) : 0;
  const timeoutMs = ownTimeoutMs > 0 ? ownTimeoutMs : toolTimeoutMs;
  return {
    name,
    description: listed.description,
    inputSchema: listed.inputSchema,
    mcp: {
      server: server.name,
      source: sourceOf(server),
      tool: listed.name,
      displayName: listed.title ?? displayName(listed.name),
      alwaysLoad: listed.alwaysLoad ?? ("alwaysLoad" in config && config.alwaysLoad === true),
    },
    isReadOnly: () => listed.annotations.readOnlyHint === true,
    run: (input, context) => callTool(server, listed.name, input, context, timeoutMs),
  };
}

async function callTool(
  server: Server,
  name: string,
  input: JsonObject,
  { callId, workspace, signal }: ToolContext,
  timeoutMs: number,
): Promise<ToolOutcome> {
  const params = { name, arguments: input, _meta: { "claudecode/toolUseId": callId } };
  const result = await server.request("tools/call", params, { signal, timeoutMs, progress: true });
  return await toOutcome(
    result,
    server.name,
    keepIn(workspace.outputFolder, `mcp-${server.name}-${name}-${callId}`),
  );
}
