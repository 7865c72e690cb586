import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import type { Option } from "../command.ts";

/** What a new session may be given. */
export const SESSION_OPTIONS: readonly Option[] = [
  { name: "cwd", value: "DIR", summary: "the working directory, instead of the current one" },
  { name: "trust", summary: "trusts the folder: its own settings apply, now and later" },
  {
    name: "worktree",
    short: "w",
    value: "NAME",
    optional: /^[\w.+/-]+$/,
    summary: "works in a git worktree of its own, on the branch worktree-NAME",
  },
  { name: "agent", value: "NAME", summary: "the agent, by its name in settings.json or doctor" },
  { name: "model", value: "NAME", summary: "the model" },
  { name: "mode", value: "MODE", summary: "the permission mode", choices: PERMISSION_MODES },
];
