/** Control requests in both directions, and the facts they carry. */

export type { AccountInfo, AgentInfo, ModelInfo, SlashCommand } from "../catalog/catalog.ts";
export type { McpServerConfig, McpServerStatus } from "../catalog/mcp-server.ts";
export type { ControlCancelRequest, ControlRequest, ControlResponse } from "../control/envelope.ts";
export { unsupportedRequest } from "../control/error-codes.ts";
export type { AgentDefinition } from "../control/host-requests/agent-definition.ts";
export { readHostRequest } from "../control/read.ts";
export type { RequestOf, RequestTable, ResponseOf } from "../control/request-table.ts";
export { type AgentRequest, agentRequests, type HostRequest, hostRequests } from "../control/tables.ts";
