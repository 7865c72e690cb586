import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** What happened to a manifest, as reported in the answer to `initialize`. */
export type ManifestState = "parked" | "already_connected" | "protocol_version_mismatch" | "malformed";

/** What an in-process server would answer to the handshake. */
export interface Manifest {
  readonly initializeResult: JsonObject;
  readonly toolsListResult?: JsonObject;
}

/** The MCP revision that the client proposes; repeated here so that a manifest can be checked without loading the client. */
export const MCP_VERSION = "2025-11-25";

/** Checks a manifest; only one that is `parked` may be used. */
export function readManifest(value: JsonObject): {
  readonly state: ManifestState;
  readonly manifest?: Manifest;
} {
  const { initializeResult, toolsListResult } = value;
  if (!isJsonObject(initializeResult) || !isJsonObject(initializeResult.capabilities)) {
    return { state: "malformed" };
  }
  if (initializeResult.protocolVersion !== MCP_VERSION) return { state: "protocol_version_mismatch" };
  if (toolsListResult === undefined) return { state: "parked", manifest: { initializeResult } };
  if (!isJsonObject(toolsListResult) || !Array.isArray(toolsListResult.tools)) return { state: "malformed" };
  return { state: "parked", manifest: { initializeResult, toolsListResult } };
}
