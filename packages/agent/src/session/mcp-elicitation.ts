import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { HookOutcome, Hooks } from "../hooks/hooks.ts";
import type { HostLink } from "../host/host-link.ts";
import type { AskElicitation, ElicitationAnswer } from "../mcp/elicitation.ts";

/** Puts the questions of MCP servers to the hooks, which may answer, then to the host; hooks may change what it answers. */
export function elicitationAsker(host: HostLink, hooks: Hooks): AskElicitation {
  return async (question, signal) => {
    const { mcp_server_name, message, mode, url, elicitation_id, requested_schema } = question;
    const about = { mcp_server_name, ...(mode && { mode }), ...(elicitation_id && { elicitation_id }) };
    const ask = async (event: "Elicitation" | "ElicitationResult", facts: JsonObject) =>
      hooks.listens(event) ? answerOf(await hooks.run(event, { ...about, ...facts }, { signal })) : undefined;
    const answered = await ask("Elicitation", {
      message,
      ...(url !== undefined && { url }),
      ...(requested_schema && { requested_schema }),
    });
    if (answered) return answered;
    const answer = await host.request("elicitation", question, { signal });
    const { action, content } = answer;
    return (await ask("ElicitationResult", { action, ...(content && { content }) })) ?? answer;
  };
}

/** What hooks answer; undefined if they leave it to others. */
function answerOf({
  specific: { action, content },
  block,
  stop,
}: HookOutcome): ElicitationAnswer | undefined {
  if (block || stop) return { action: "decline" };
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined;
  return { action, ...(isJsonObject(content) && { content }) };
}
