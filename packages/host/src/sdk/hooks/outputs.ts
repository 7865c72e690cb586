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

/** Changes how a tool's result is presented to the model. */
export type PostToolUseHookSpecificOutput = OutputOf<
  "PostToolUse",
  AddedContext & { classifierContext?: string; updatedToolOutput?: unknown; updatedMCPToolOutput?: unknown }
>;

/** Adds context to a tool's failure. */
export type PostToolUseFailureHookSpecificOutput = OutputOf<"PostToolUseFailure", AddedContext>;

/** Adds context to the results of a step. */
export type PostToolBatchHookSpecificOutput = OutputOf<"PostToolBatch", AddedContext>;

/** Answers a permission request in place of the host. */
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

/** Lets the model retry a denied call. */
export type PermissionDeniedHookSpecificOutput = OutputOf<"PermissionDenied", { retry?: boolean }>;

/** Adds context to a prompt, or names the session. */
export type UserPromptSubmitHookSpecificOutput = OutputOf<
  "UserPromptSubmit",
  AddedContext & { sessionTitle?: string; suppressOriginalPrompt?: boolean }
>;

/** Adds context to the text that replaces a command. */
export type UserPromptExpansionHookSpecificOutput = OutputOf<
  "UserPromptExpansion",
  AddedContext & { suppressOriginalPrompt?: boolean }
>;

/** Adds context to the beginning of a session. */
export type SessionStartHookSpecificOutput = OutputOf<
  "SessionStart",
  AddedContext & Watching & { initialUserMessage?: string; sessionTitle?: string; reloadSkills?: boolean }
>;

/** Adds context to the setup of a project. */
export type SetupHookSpecificOutput = OutputOf<"Setup", AddedContext>;

/** Decides about a change of the model. */
export type PreModelSwitchHookSpecificOutput = OutputOf<
  "PreModelSwitch",
  { permissionDecision?: "allow" | "deny" | "ask"; permissionDecisionReason?: string }
>;

/** Adds context to a change of the model. */
export type PostModelSwitchHookSpecificOutput = OutputOf<"PostModelSwitch", AddedContext>;

/** Adds context for a subagent. */
export type SubagentStartHookSpecificOutput = OutputOf<"SubagentStart", AddedContext>;

/** Adds context for a subagent at its end. */
export type SubagentStopHookSpecificOutput = OutputOf<"SubagentStop", AddedContext>;

/** Adds context at the end of a turn. */
export type StopHookSpecificOutput = OutputOf<"Stop", AddedContext>;

/** Adds context to a notification. */
export type NotificationHookSpecificOutput = OutputOf<"Notification", AddedContext>;

/** Answers an MCP server in place of the user. */
export type ElicitationHookSpecificOutput = OutputOf<"Elicitation", Answer>;

/** Changes the user's answer to an MCP server. */
export type ElicitationResultHookSpecificOutput = OutputOf<"ElicitationResult", Answer>;

/** Names files to watch in the new folder. */
export type CwdChangedHookSpecificOutput = OutputOf<"CwdChanged", Watching>;

/** Names other files to watch. */
export type FileChangedHookSpecificOutput = OutputOf<"FileChanged", Watching>;

/** Returns the path of the new worktree. */
export type WorktreeCreateHookSpecificOutput = OutputOf<"WorktreeCreate", { worktreePath: string }>;

/** Changes what is displayed, but not what is stored. */
export type MessageDisplayHookSpecificOutput = OutputOf<"MessageDisplay", { displayContent?: string }>;

/** The answer of an asynchronous hook. */
export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook returns at once. */
export type SyncHookJSONOutput = {
  /** False stops the turn. */
  continue?: boolean;
  /** Shown if `continue` is false. */
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

/** What a hook returns. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
