import type { ProjectContext } from "../context/context.ts";
import type { Hooks } from "./hooks.ts";

const TYPES = { user: "User", project: "Project", local: "Local" } as const;

/** Runs the InstructionsLoaded hooks for files that have been added to a conversation. */
export async function tellInstructions(
  hooks: Hooks,
  files: ProjectContext["memoryFiles"],
  reason: "session_start" | "compact" | "nested_traversal",
  signal: AbortSignal,
  trigger?: string,
): Promise<void> {
  if (!hooks.listens("InstructionsLoaded")) return;
  await Promise.all(
    files.map(({ path, type, parent }) =>
      hooks.run(
        "InstructionsLoaded",
        {
          file_path: path,
          memory_type: TYPES[type],
          load_reason: parent === undefined ? reason : "include",
          ...(parent !== undefined && { parent_file_path: parent }),
          ...(trigger !== undefined && { trigger_file_path: trigger }),
        },
        { signal },
      ),
    ),
  );
}
