import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { SDK_VERSION } from "../sdk/sdk-version.ts";
import type { HostedServers, Manifest, Manifests } from "./hosted-servers.ts";

/** How long the first `initialize` waits for the servers of this process, which only have local work to do. */
const CAPTURE_MS = 250;
const PROTOCOL_VERSION = "2025-11-25";
const CLIENT = {
  name: "claude-code",
  title: "Claude Code",
  version: SDK_VERSION,
  description: "Anthropic's agentic coding tool",
  websiteUrl: "https://claude.com/claude-code",
};

/**
 * Asks the MCP servers of this process what the agent would ask them at startup, to save it a round trip for each;
 * a server that is slow or fails is left to the agent.
 */
export async function captureManifests(servers: HostedServers): Promise<Manifests | undefined> {
  const { names } = servers;
  if (names.length === 0) return undefined;
  const late = AbortSignal.timeout(CAPTURE_MS);
  const captured = await Promise.all(names.map((name) => capture(servers, name, late)));
  const manifests = names.flatMap((name, index) => {
    const manifest = captured[index];
    return manifest ? [[name, manifest] as const] : [];
  });
  return manifests.length > 0 ? Object.fromEntries(manifests) : undefined;
}

async function capture(
  servers: HostedServers,
  name: string,
  late: AbortSignal,
): Promise<Manifest | undefined> {
  const ask = (id: string, method: string, params?: JsonObject) =>
    servers.deliver(name, { jsonrpc: "2.0", id: `manifest:${id}`, method, ...(params && { params }) }, late);
  try {
    const clientInfo = CLIENT;
    const hello = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const initializeResult = resultOf(await ask("initialize", "initialize", hello));
    if (!initializeResult) return undefined;
    await servers.deliver(name, { jsonrpc: "2.0", method: "notifications/initialized" }, late);
    const { capabilities } = initializeResult;
    if (!isJsonObject(capabilities) || !capabilities.tools) return { initializeResult };
    const toolsListResult = resultOf(await ask("tools", "tools/list"));
    if (!toolsListResult) return undefined;
    // A list with several pages is left to the agent.
    return toolsListResult.nextCursor === undefined
      ? { initializeResult, toolsListResult }
      : { initializeResult };
  } catch {
    return undefined;
  }
}

function resultOf(answer: JsonObject): JsonObject | undefined {
  // The agent gets a copy, as the server may change the object that it returned.
  return isJsonObject(answer.result) ? structuredClone(answer.result) : undefined;
}
