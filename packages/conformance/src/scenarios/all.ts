import { apiErrors } from "./api-errors.ts";
import { badInput } from "./bad-input.ts";
import { control } from "./control.ts";
import { flags } from "./flags.ts";
import { hooks } from "./hooks.ts";
import { interrupt } from "./interrupt.ts";
import { limits } from "./limits.ts";
import { mcp } from "./mcp.ts";
import { permissions } from "./permissions.ts";
import { plugins } from "./plugins.ts";
import { processes } from "./process.ts";
import { queueing } from "./queueing.ts";
import { sandbox } from "./sandbox.ts";
import type { Theme } from "./scenario.ts";
import { sessions } from "./sessions.ts";
import { streaming } from "./streaming.ts";
import { tasks } from "./tasks.ts";
import { tools } from "./tools.ts";
import { turns } from "./turns.ts";
import { worktrees } from "./worktrees.ts";

/** Every scenario, by theme. */
export const THEMES: readonly Theme[] = [
  turns,
  streaming,
  tools,
  tasks,
  worktrees,
  sandbox,
  permissions,
  control,
  hooks,
  mcp,
  interrupt,
  queueing,
  limits,
  apiErrors,
  badInput,
  sessions,
  flags,
  plugins,
  processes,
];
