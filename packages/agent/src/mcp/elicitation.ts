import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { agentRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";

/** A question of a server to the user, as the host is asked it. */
export type Elicitation = RequestOf<typeof agentRequests, "elicitation">;

/** What the user makes of it. */
export type ElicitationAnswer = ResponseOf<typeof agentRequests, "elicitation">;

/** Puts the question of a server to the host. */
export type AskElicitation = (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;

/** Turns the parameters of `elicitation/create` into a question for the host; what is not as specified is left out. */
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
