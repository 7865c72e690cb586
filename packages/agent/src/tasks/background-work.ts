import type { JsonObject } from "@agentwire/protocol";
import type { Tasks } from "./tasks.ts";

/** What runs beside the conversation and will wake it, as hooks are told. */
export function workInBackground({ tasks }: { readonly tasks: Tasks }): readonly JsonObject[] {
  const running = tasks.running().filter(({ foreground }) => !foreground);
  return running.map(({ id, type, status, description, command }) => ({
    id,
    type: type === "local_agent" ? "subagent" : "shell",
    status,
    description,
    ...(command !== undefined && { command }),
  }));
}
