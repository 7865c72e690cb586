import type { JsonObject } from "@agentwire/protocol";
import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Client } from "../talk/client.ts";
import { reasonOf } from "../talk/rpc-error.ts";

/** A daemon session as it was when the editor opened it. */
export interface OpenedSession {
  readonly id: string;
  readonly model: string;
  readonly permissionMode: string;
}

/** Carries out an editor's request against the daemon; `history` is the conversation so far. */
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
          errors: Object.fromEntries(Object.keys(servers).map((name) => [name, reasonOf(error)])),
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
      throw new Error(`the daemon does not support the request ${String(request.subtype)}`);
  }
}

/** The modes that a session can switch to; bypassing permissions can only be chosen at its start. */
const modesFrom = (mode: string) =>
  PERMISSION_MODES.filter((name) => name !== "bypassPermissions" || name === mode);
