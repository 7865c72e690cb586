import type { ElicitedInput, InputOf } from "./base.ts";

/** The working directory has changed. */
export type CwdChangedHookInput = InputOf<"CwdChanged", { old_cwd: string; new_cwd: string }>;

/** A watched file has changed. */
export type FileChangedHookInput = InputOf<
  "FileChanged",
  { file_path: string; event: "change" | "add" | "unlink" }
>;

/** A folder has been added to the session. */
export type DirectoryAddedHookInput = InputOf<
  "DirectoryAdded",
  { directory: string; source: "slash_command" | "register_repo_root" }
>;

/** A worktree is needed. */
export type WorktreeCreateHookInput = InputOf<"WorktreeCreate", { name: string }>;

/** A worktree is no longer needed. */
export type WorktreeRemoveHookInput = InputOf<"WorktreeRemove", { worktree_path: string }>;

type Task = {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
};

/** A task has been put on the list. */
export type TaskCreatedHookInput = InputOf<"TaskCreated", Task>;

/** A task on the list is done. */
export type TaskCompletedHookInput = InputOf<"TaskCompleted", Task>;

/** A teammate has nothing left to do. */
export type TeammateIdleHookInput = InputOf<"TeammateIdle", { teammate_name: string; team_name: string }>;

/** An MCP server asks the user for something. */
export type ElicitationHookInput = InputOf<"Elicitation", ElicitedInput>;

/** The user has answered an MCP server. */
export type ElicitationResultHookInput = InputOf<
  "ElicitationResult",
  {
    mcp_server_name: string;
    elicitation_id?: string;
    mode?: "form" | "url";
    action: "accept" | "decline" | "cancel";
    content?: Record<string, unknown>;
  }
>;
