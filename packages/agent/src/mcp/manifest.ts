import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** What became of a manifest, as `initialize` answers it. */
export type ManifestState = "parked" | "already_connected" | "protocol_version_mismatch" | "malformed";

/** What an in-process server would answer to the handshake. */
export interface Manifest {
  readonly initializeResult: JsonObject;
  readonly toolsListResult?: JsonObject;
}

/** The revision of MCP that the client speaks first; known here so that a manifest can be judged without loading it. */
export const MCP_VERSION = "2025-11-25";

/** Judges a manifest; only one that is `parked` may be used. */
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
