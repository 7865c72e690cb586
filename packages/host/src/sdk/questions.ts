import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";

type Asked = {
  /** Aborted when the answer is no longer awaited. */
  signal: AbortSignal;
  requestId: string;
};

/** What an MCP server asks the user for. */
export type ElicitationRequest = {
  serverName: string;
  message: string;
  mode?: "form" | "url";
  url?: string;
  elicitationId?: string;
  requestedSchema?: Record<string, unknown>;
  title?: string;
  displayName?: string;
  description?: string;
};

/** The user's answer to an MCP server. */
export type ElicitationResult = ElicitResult;

/** Answers an MCP server on behalf of the user; null leaves the request to another party. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: Asked,
) => Promise<ElicitationResult | null>;

/** A dialog that the agent wants shown. */
export type UserDialogRequest = {
  dialogKind: string;
  payload: Record<string, unknown>;
  toolUseID?: string;
};

/** How a dialog ended. */
export type UserDialogResult = { behavior: "completed"; result: unknown } | { behavior: "cancelled" };

/** Shows a dialog; null leaves the request to another party. */
export type OnUserDialog = (request: UserDialogRequest, options: Asked) => Promise<UserDialogResult | null>;
