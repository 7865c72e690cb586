import { setImmediate } from "node:timers/promises";
import { type Handlers, ProtocolError } from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import type { Session } from "../session/session.ts";
import { tellOutput } from "../slash/local-commands.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { switchModel } from "../turn/model-switch.ts";
import { sessionStatus } from "./session-status.ts";

/** Requests that control the session. */
export function sessionControls(session: Session): Handlers<typeof hostRequests> {
  const { outlet, gate, models, checkpoints, workspace, hostOptions, hostInput, inbox, records } =
    session.context;
  return {
    interrupt: ({ cancel_queued }) =>
      hostInput.inOrder(() => {
        const cancelled = cancel_queued ? [...inbox.cancelAll()] : undefined;
        session.interrupt();
        if (!hostOptions.sparesTasks) stopBackground(workspace.tasks);
        return { still_queued: [...inbox.queued()], ...(cancelled && { cancelled }) };
      }),
    set_permission_mode({ mode }) {
      const before = gate.mode;
      const refused = gate.setMode(mode);
      if (refused) throw new ProtocolError("refused", refused.message, { errorCode: refused.code });
      // The answer goes out before the status message: hosts expect this order.
      if (gate.mode !== before)
        void setImmediate().then(() =>
          outlet.tell({ type: "system", subtype: "status", status: null, permissionMode: gate.mode }),
        );
      return { mode: gate.mode };
    },
    async set_model(request, { signal, addToAnswer }) {
      const before = models.current;
      const switching = switchModel(session.context, request.model, "sdk", signal);
      // Prompts that follow are meant for the new model.
      models.duringSwitch(switching);
      const refused = await switching;
      if (refused) {
        addToAnswer({ model: models.current });
        throw new ProtocolError("refused", refused.message, { errorCode: refused.code });
      }
      if (models.current !== before) tellOutput(outlet, `Set model to \`${models.current}\``);
      return { model: models.current };
    },
    set_max_thinking_tokens({ max_thinking_tokens: budget, thinking_display: display }) {
      if (budget === null) models.restoreThinking();
      else if (budget !== undefined)
        models.thinking = budget === 0 ? { type: "disabled" } : { type: "enabled", budget_tokens: budget };
      if (display && models.thinking?.type !== "disabled")
        models.thinking = { ...(models.thinking ?? { type: "adaptive" }), display };
      return {};
    },
    async rewind_files({ user_message_id, dry_run }) {
      const rewind = await checkpoints.rewind(user_message_id, dry_run === true);
      // Only a dry run may report a refusal as success; a rewind that could not be done is an error.
      if (!rewind.canRewind && !dry_run) throw new ProtocolError("refused", rewind.error);
      return "filesChanged" in rewind ? { ...rewind, filesChanged: [...rewind.filesChanged] } : rewind;
    },
    cancel_async_message: ({ message_uuid }) =>
      hostInput.inOrder(() => ({ cancelled: inbox.cancel(message_uuid) })),
    async stop_task({ task_id }) {
      // A task that no longer exists counts as stopped.
      await workspace.tasks.get(task_id)?.stop();
      return {};
    },
    background_tasks({ tool_use_id }) {
      const isMoved = workspace.tasks.detach(tool_use_id);
      // Only a specific call can be reported as not found.
      return tool_use_id === undefined && !isMoved ? {} : { backgrounded: isMoved };
    },
    rename_session({ title, session_id }) {
      if (session_id !== undefined && session_id !== outlet.sessionId)
        throw new ProtocolError("refused", `the process now runs session ${outlet.sessionId}`);
      records.rename(title);
      return {};
    },
    // Accepted without effect: the agent draws nothing and never holds back deltas.
    set_color: () => ({}),
    set_has_subscribers: () => ({}),
    // In order, so that the status reflects all earlier messages.
    session_status: ({ messages }) => hostInput.inOrder(() => sessionStatus(session, messages)),
    end_session() {
      session.end();
      return {};
    },
  };
}

/** Stops all background tasks; each of them reports its end to the host. */
function stopBackground(tasks: Tasks): void {
  for (const task of tasks.running()) if (!task.foreground) void task.stop();
}
