import type { Infer } from "../schema/schema.ts";
import { type Variants, variants } from "../schema/union.ts";
import { elicitationHooks } from "./elicitation.ts";
import { fileHooks, worktreeHooks } from "./files.ts";
import { modelHooks } from "./model.ts";
import { permissionHooks } from "./permissions.ts";
import { displayHooks, promptHooks } from "./prompts.ts";
import { compactionHooks, sessionHooks } from "./session.ts";
import type { HookShape } from "./shape.ts";
import { stopHooks, subagentHooks } from "./stop.ts";
import { taskHooks } from "./tasks.ts";
import { toolHooks } from "./tools.ts";

/** Every event that a hook can be registered for. */
export const hookEvents = {
  ...toolHooks,
  ...permissionHooks,
  ...promptHooks,
  ...stopHooks,
  ...subagentHooks,
  ...sessionHooks,
  ...compactionHooks,
  ...modelHooks,
  ...elicitationHooks,
  ...fileHooks,
  ...worktreeHooks,
  ...taskHooks,
  ...displayHooks,
};

/** The name of an event that a hook can be registered for. */
export type HookEvent = keyof typeof hookEvents;

/** The names of all events. */
export const HOOK_EVENTS = Object.keys(hookEvents) as readonly HookEvent[];

/** The events by name, for looking up names from outside. */
export const hookShapes: ReadonlyMap<string, HookShape> = new Map<string, HookShape>(
  Object.entries(hookEvents),
);

type KnownInput = Infer<(typeof hookEvents)[HookEvent]["input"]>;

/** The input of a hook, by `hook_event_name`. */
export const hookInput = variants(
  "HookInput",
  "hook_event_name",
  Object.fromEntries([...hookShapes].map(([event, { input }]) => [event, input])),
) as Variants<KnownInput>;

/** The input of a hook, by `hook_event_name`. */
export type HookInput = Infer<typeof hookInput>;
