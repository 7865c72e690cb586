import type { Config } from "./config.ts";
import type { ProjectFiles } from "./context/project-files.ts";
import { type History, reminder } from "./history.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { LongTermMemory } from "./memory/long-term-memory.ts";
import type { ModelState } from "./model-state.ts";
import type { HostWishes } from "./runtime.ts";
import { environment } from "./system-prompt.ts";
import type { Workspace } from "./workspace.ts";

/** What the beginning of a conversation depends on. */
export interface OpeningParts {
  readonly config: Config;
  readonly hooks: Hooks;
  readonly history: History;
  readonly models: ModelState;
  readonly wishes: HostWishes;
  readonly workspace: Workspace;
  readonly files: ProjectFiles;
  readonly memory?: LongTermMemory | undefined;
}

/** Says what a conversation begins with beside the first prompt: what the SessionStart hooks add, and what the system prompt leaves out. */
export async function openContext(
  parts: OpeningParts,
  source: "startup" | "resume" | "fork" | "clear" | "compact",
  signal: AbortSignal,
): Promise<void> {
  const { hooks, history, models, wishes, workspace, files, config } = parts;
  if (wishes.excludeDynamicSections && source !== "resume" && source !== "fork") {
    const { memory } = await files.load();
    const notes = [memory, parts.memory?.overview ?? ""].filter((text) => text !== "");
    const where = environment({ cwd: workspace.cwd, roots: workspace.roots, model: models.current });
    history.add("user", [reminder(where), ...notes.map(reminder)]);
  }
  if (!hooks.listens("SessionStart")) return;
  const agent = config.flags.text("agent");
  const facts = { source, model: models.current, ...(agent && { agent_type: agent }) };
  const said = await hooks.run("SessionStart", facts, { signal });
  history.add("user", said.context.map(reminder));
}
