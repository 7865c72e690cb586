import { randomBytes } from "node:crypto";
import type { Tasks } from "./tasks.ts";

/** A task id that the session has not used yet: `b` for commands, `a` for agents, then eight letters and digits. */
export function newTaskId(kind: "a" | "b", tasks: Tasks): string {
  for (;;) {
    const id = kind + Array.from(randomBytes(8), (byte) => (byte % 36).toString(36)).join("");
    if (!tasks.get(id)) return id;
  }
}

/** A name for one run of a task: later runs sort after earlier ones. */
export function newRunId(): string {
  return `${Date.now().toString(36).padStart(9, "0")}-${randomBytes(4).toString("hex")}`;
}
