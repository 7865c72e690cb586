import { type Handlers, type hostRequests, ProtocolError } from "@agentwire/protocol";
import type { Runtime } from "../runtime.ts";
import { tellOutput } from "../slash/builtin.ts";

/** Requests that steer the session. */
export function sessionControls(runtime: Runtime): Handlers<typeof hostRequests> {
  const { session, gate, model, checkpoints, workspace } = runtime;
  return {
    interrupt({ cancel_queued }) {
      const { inbox } = session.parts;
      const queued = inbox.queued();
      if (cancel_queued) for (const uuid of queued) inbox.cancel(uuid);
      session.interrupt();
      return cancel_queued ? { still_queued: [], cancelled: [...queued] } : { still_queued: [...queued] };
    },
    set_permission_mode({ mode }) {
      const refused = gate.setMode(mode);
      if (refused) throw new ProtocolError("refused", refused.message, { errorCode: refused.code });
      // The answer goes out before the news: hosts read them in this order.
      queueMicrotask(() =>
        setImmediate(() =>
          session.tell({ type: "system", subtype: "status", status: null, permissionMode: gate.mode }),
        ),
      );
      return { mode: gate.mode };
    },
    async set_model(request) {
      const refused = await model.set(request.model);
      if (refused) throw new ProtocolError("refused", refused.message, { errorCode: refused.code });
      tellOutput(session, `Set model to \`${model.current}\``);
      return { model: model.current };
    },
    set_max_thinking_tokens({ max_thinking_tokens }) {
      model.thinking =
        max_thinking_tokens === null || max_thinking_tokens === undefined
          ? undefined
          : max_thinking_tokens === 0
            ? { type: "disabled" }
            : { type: "enabled", budget_tokens: max_thinking_tokens };
      return {};
    },
    async rewind_files({ user_message_id, dry_run }) {
      const rewind = await checkpoints.rewind(user_message_id, dry_run === true);
      // Only a dry run may say no in a success; a rewind that was asked for and did not happen is an error.
      if (!rewind.canRewind && !dry_run) throw new ProtocolError("refused", rewind.error);
      return {
        ...rewind,
        ...("filesChanged" in rewind && { filesChanged: [...rewind.filesChanged] }),
      } as never;
    },
    cancel_async_message: ({ message_uuid }) => ({ cancelled: session.parts.inbox.cancel(message_uuid) }),
    async stop_task({ task_id }) {
      // A task that is gone is stopped: nothing is left to do.
      await workspace.tasks.get(task_id)?.stop();
      return {};
    },
    rename_session({ title }) {
      session.parts.transcript.note({
        type: "custom-title",
        customTitle: title,
        sessionId: session.parts.sessionId,
      });
      return {};
    },
    session_status: () => ({
      running: session.isRunning,
      session_id: session.parts.sessionId,
      queued_messages: session.parts.inbox.length,
      init: { ...session.parts.init(), session_id: session.parts.sessionId },
    }),
    end_session() {
      session.interrupt();
      session.parts.inbox.close();
      return {};
    },
  };
}
