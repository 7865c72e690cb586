import type { PermissionUpdate } from "../permissions.ts";
import type { AddedContext, OutputOf } from "./base.ts";

/** What a hook can decide about a tool call. */
export type HookPermissionDecision = "allow" | "deny" | "ask" | "defer";

type Watching = { watchPaths?: string[] };
type Answer = { action?: "accept" | "decline" | "cancel"; content?: Record<string, unknown> };

/** Decides about a tool call, or changes its input. */
export type PreToolUseHookSpecificOutput = OutputOf<
  "PreToolUse",
  AddedContext & {
    permissionDecision?: HookPermissionDecision;
    permissionDecisionReason?: string;
    updatedInput?: Record<string, unknown>;
  }
>;

/** Changes what the model reads of a tool's result. */
export type PostToolUseHookSpecificOutput = OutputOf<
  "PostToolUse",
  AddedContext & { classifierContext?: string; updatedToolOutput?: unknown; updatedMCPToolOutput?: unknown }
>;

/** Adds to a tool's failure. */
export type PostToolUseFailureHookSpecificOutput = OutputOf<"PostToolUseFailure", AddedContext>;

/** Adds to the results of a step. */
export type PostToolBatchHookSpecificOutput = OutputOf<"PostToolBatch", AddedContext>;

/** Answers a permission request in the host's place. */
export type PermissionRequestHookSpecificOutput = OutputOf<
  "PermissionRequest",
  {
    decision:
      | {
          behavior: "allow";
          updatedInput?: Record<string, unknown>;
          updatedPermissions?: PermissionUpdate[];
        }
      | { behavior: "deny"; message?: string; interrupt?: boolean };
  }
>;

/** Lets the model try a denied call again. */
export type PermissionDeniedHookSpecificOutput = OutputOf<"PermissionDenied", { retry?: boolean }>;

/** Adds to a prompt, or names the session. */
export type UserPromptSubmitHookSpecificOutput = OutputOf<
  "UserPromptSubmit",
  AddedContext & { sessionTitle?: string; suppressOriginalPrompt?: boolean }
>;

/** Adds to the text a command stands for. */
export type UserPromptExpansionHookSpecificOutput = OutputOf<
  "UserPromptExpansion",
  AddedContext & { suppressOriginalPrompt?: boolean }
>;

/** Adds to the beginning of a session. */
export type SessionStartHookSpecificOutput = OutputOf<
  "SessionStart",
  AddedContext & Watching & { initialUserMessage?: string; sessionTitle?: string; reloadSkills?: boolean }
>;

/** Adds to the set-up of a project. */
export type SetupHookSpecificOutput = OutputOf<"Setup", AddedContext>;

/** Decides about a change of the model. */
export type PreModelSwitchHookSpecificOutput = OutputOf<
  "PreModelSwitch",
  { permissionDecision?: "allow" | "deny" | "ask"; permissionDecisionReason?: string }
>;

/** Adds to a change of the model. */
export type PostModelSwitchHookSpecificOutput = OutputOf<"PostModelSwitch", AddedContext>;

/** Adds to what a subagent is told. */
export type SubagentStartHookSpecificOutput = OutputOf<"SubagentStart", AddedContext>;

/** Adds to what a subagent is told at its end. */
export type SubagentStopHookSpecificOutput = OutputOf<"SubagentStop", AddedContext>;

/** Adds to what the model is told at the end of a turn. */
export type StopHookSpecificOutput = OutputOf<"Stop", AddedContext>;

/** Adds to a notification. */
export type NotificationHookSpecificOutput = OutputOf<"Notification", AddedContext>;

/** Answers an MCP server in the user's place. */
export type ElicitationHookSpecificOutput = OutputOf<"Elicitation", Answer>;

/** Changes the user's answer to an MCP server. */
export type ElicitationResultHookSpecificOutput = OutputOf<"ElicitationResult", Answer>;

/** Asks for files to be watched in the new folder. */
export type CwdChangedHookSpecificOutput = OutputOf<"CwdChanged", Watching>;

/** Asks for other files to be watched. */
export type FileChangedHookSpecificOutput = OutputOf<"FileChanged", Watching>;

/** Says where the worktree was made. */
export type WorktreeCreateHookSpecificOutput = OutputOf<"WorktreeCreate", { worktreePath: string }>;

/** Changes what is shown, not what is kept. */
export type MessageDisplayHookSpecificOutput = OutputOf<"MessageDisplay", { displayContent?: string }>;

/** The answer of an asynchronous hook. */
export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook answers at once. */
export type SyncHookJSONOutput = {
  /** False stops the turn. */
  continue?: boolean;
  /** Shown where `continue` is false. */
  stopReason?: string;
  suppressOutput?: boolean;
  decision?: "approve" | "block";
  reason?: string;
  /** Shown to the user. */
  systemMessage?: string;
  terminalSequence?: string;
  hookSpecificOutput?:
    | PreToolUseHookSpecificOutput
    | PostToolUseHookSpecificOutput
    | PostToolUseFailureHookSpecificOutput
    | PostToolBatchHookSpecificOutput
    | PermissionRequestHookSpecificOutput
    | PermissionDeniedHookSpecificOutput
    | UserPromptSubmitHookSpecificOutput
    | UserPromptExpansionHookSpecificOutput
    | SessionStartHookSpecificOutput
    | SetupHookSpecificOutput
    | PreModelSwitchHookSpecificOutput
    | PostModelSwitchHookSpecificOutput
    | SubagentStartHookSpecificOutput
    | SubagentStopHookSpecificOutput
    | StopHookSpecificOutput
    | NotificationHookSpecificOutput
    | ElicitationHookSpecificOutput
    | ElicitationResultHookSpecificOutput
    | CwdChangedHookSpecificOutput
    | FileChangedHookSpecificOutput
    | WorktreeCreateHookSpecificOutput
    | MessageDisplayHookSpecificOutput;
};

/** What a hook answers. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
