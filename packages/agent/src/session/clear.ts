import { randomUUID } from "node:crypto";
import type { Outlet } from "../host/outlet.ts";
import type { Records } from "../store/records.ts";
import { tellBackgroundTasks } from "../tasks/notices.ts";
import type { Services } from "../turn/conversation.ts";
import type { History } from "../turn/history.ts";

/** What of a session forgets when its conversation begins anew. */
export interface Clearable {
  readonly services: Services;
  readonly outlet: Outlet;
  readonly records: Records;
  readonly history: History;
  /** Runs the SessionStart hooks of the new conversation. */
  restart(signal: AbortSignal): Promise<void>;
}

/** Forgets the conversation and begins another under an id of its own, in the same process. */
export async function clearSession(session: Clearable, signal: AbortSignal): Promise<void> {
  const { services, outlet, records, history } = session;
  const { hooks, costs, workspace } = services;
  if (hooks.listens("SessionEnd")) await hooks.run("SessionEnd", { reason: "clear" }, { signal });
  await records.flush();
  const id = randomUUID();
  outlet.tell({
    type: "conversation_reset",
    new_conversation_id: id,
    uuid: id,
    trigger: "clear",
    timestamp: new Date().toISOString(),
  });
  tellBackgroundTasks(workspace);
  records.begin();
  history.replace([]);
  costs.reset();
  workspace.files.clear();
  workspace.edited.clear();
  await session.restart(signal);
}
