import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { PERMISSION_MODES, printRule, ruleFromValue } from "@agentwire/protocol/permission";
import { errorMessage } from "@agentwire/protocol/support";
import type { Client } from "../talk/client.ts";

/** A session of the daemon as it was when the editor opened it. */
export interface OpenedSession {
  readonly id: string;
  readonly model: string;
  readonly permissionMode: string;
}

/** Does what an editor asks for, with the daemon; `history` is the conversation so far. */
export async function answerEditor(
  { sessions }: Client,
  { id: sessionId, model, permissionMode }: OpenedSession,
  request: JsonObject,
  history: () => Promise<readonly JsonObject[]>,
): Promise<JsonObject> {
  switch (request.subtype) {
    case "initialize":
      return {};
    case "mcp_set_servers": {
      const servers = request.servers as JsonObject;
      try {
        await sessions.setMcpServers({ sessionId, serversJson: JSON.stringify(servers) });
        return { errors: {} };
      } catch (error) {
        return {
          errors: Object.fromEntries(Object.keys(servers).map((name) => [name, errorMessage(error)])),
        };
      }
    }
    case "session_status": {
      const messages = await history();
      const init = { permissionMode, model };
      const permission_modes = modesFrom(permissionMode);
      return {
        session_id: sessionId,
        init,
        permission_modes,
        ...(request.messages === true && { messages }),
      };
    }
    case "interrupt":
      await sessions.interrupt({ sessionId });
      return {};
    case "set_permission_mode":
      await sessions.setMode({ sessionId, permissionMode: String(request.mode) });
      return {};
    case "set_model":
      await sessions.setModel({ sessionId, model: String(request.model) });
      return {};
    default:
      throw new Error(`the daemon has no request ${String(request.subtype)}`);
  }
}

/** The modes that a session can be switched to: to skip all questions is decided when it begins. */
const modesFrom = (mode: string) =>
  PERMISSION_MODES.filter((name) => name !== "bypassPermissions" || name === mode);

/** The first answer counts, wherever it is given: an editor's may come too late. */
export async function decide({ questions }: Client, response: JsonObject): Promise<void> {
  const questionId = String(response.request_id);
  const answer = (response.response ?? {}) as JsonObject;
  const answers = isJsonObject(answer.updatedInput) ? answer.updatedInput.answers : undefined;
  if (answers) {
    await questions.answer({ questionId, answers: answers as Record<string, string> }).catch(() => {});
    return;
  }
  const [update] = (answer.updatedPermissions ?? []) as readonly { rules?: readonly JsonObject[] }[];
  const [rule] = update?.rules ?? [];
  const lasting = rule && { case: "sessionRule" as const, value: printRule(ruleFromValue(rule as never)) };
  const decision =
    answer.behavior === "allow"
      ? ({ case: "allow", value: lasting ? { lasting } : {} } as const)
      : ({
          case: "deny",
          value: { message: String(answer.message ?? ""), stop: answer.interrupt === true },
        } as const);
  await questions.decide({ questionId, decision }).catch(() => {});
}
