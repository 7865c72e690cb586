import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { agentRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";

/** A server's question to the user, as the host receives it. */
export type Elicitation = RequestOf<typeof agentRequests, "elicitation">;

/** The user's answer. */
export type ElicitationAnswer = ResponseOf<typeof agentRequests, "elicitation">;

/** Asks the host a server's question. */
export type AskElicitation = (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;

/**
 * Converts the parameters of `elicitation/create` to a question for the host; fields that violate the specification are left out.
 */
export function readElicitation(server: string, params: JsonObject): Elicitation {
  const { message, mode, url, elicitationId, requestedSchema } = params;
  return {
    mcp_server_name: server,
    message: typeof message === "string" ? message : "",
    mode: mode === "url" ? "url" : "form",
    ...(typeof url === "string" && { url }),
    ...(typeof elicitationId === "string" && { elicitation_id: elicitationId }),
    ...(isJsonObject(requestedSchema) && { requested_schema: requestedSchema }),
  };
}
