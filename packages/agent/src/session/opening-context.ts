import type { Config } from "../config/config.ts";
import type { HostWishes } from "../context/host-wishes.ts";
import type { NestedMemory } from "../context/nested-memory.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { tellInstructions } from "../hooks/instructions.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type History, reminder } from "../turn/history.ts";
import { environment } from "../turn/system-prompt.ts";

/** What the beginning of a conversation depends on. */
export interface OpeningParts {
  readonly config: Config;
  readonly hooks: Hooks;
  readonly history: History;
  readonly models: ModelState;
  readonly wishes: HostWishes;
  readonly workspace: Workspace;
  readonly files: ProjectFiles;
  readonly nestedMemory: NestedMemory;
  rename(title: string): void;
  /** Begins the conversation with a prompt that the user did not write. */
  say(prompt: string): Promise<void>;
  readonly memory?: LongTermMemory | undefined;
}

/** Says what a conversation begins with beside the first prompt: what the SessionStart hooks add, and what the system prompt leaves out. */
export async function openContext(
  parts: OpeningParts,
  source: "startup" | "resume" | "fork" | "clear" | "compact",
  signal: AbortSignal,
): Promise<void> {
  const { hooks, history, models, wishes, workspace, files, config } = parts;
  const isNew = source !== "resume" && source !== "fork";
  if (wishes.excludeDynamicSections && isNew) {
    const { memory } = await files.load();
    const notes = [memory, parts.memory?.overview ?? ""].filter((text) => text !== "");
    const where = environment({ cwd: workspace.cwd, roots: workspace.roots, model: models.current });
    history.add("user", [reminder(where), ...notes.map(reminder)]);
  }
  if (isNew) {
    parts.nestedMemory.forget();
    const { memoryFiles } = await files.load();
    await tellInstructions(hooks, memoryFiles, source === "compact" ? "compact" : "session_start", signal);
  }
  for (const trigger of ["init", "maintenance"] as const) {
    if (source === "clear" || source === "compact" || !config.flags.has(trigger)) continue;
    if (hooks.listens("Setup")) history.remark((await hooks.run("Setup", { trigger }, { signal })).context);
  }
  if (!hooks.listens("SessionStart")) return;
  const agent = config.flags.text("agent");
  const facts = { source, model: models.current, ...(agent && { agent_type: agent }) };
  const said = await hooks.run("SessionStart", facts, { signal });
  // Where an earlier conversation goes on, it may be a tool that has to be heard first.
  if (isNew) history.add("user", said.context.map(reminder));
  else history.remark(said.context);
  const { initialUserMessage, sessionTitle, reloadSkills } = said.specific;
  if (typeof sessionTitle === "string" && sessionTitle !== "") parts.rename(sessionTitle);
  if (reloadSkills === true) await files.reload();
  if (typeof initialUserMessage === "string") await parts.say(initialUserMessage);
}
