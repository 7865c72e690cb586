import type * as ours from "@agentwire/host";
import type * as theirs from "@anthropic-ai/claude-agent-sdk";
import type { Fits, Same } from "./same-type.ts";

/** Every hook type of the official SDK, by name. */
type Types = {
  AsyncHookJSONOutput: Same<ours.AsyncHookJSONOutput, theirs.AsyncHookJSONOutput>;
  BaseHookInput: Same<ours.BaseHookInput, theirs.BaseHookInput>;
  ConfigChangeHookInput: Same<ours.ConfigChangeHookInput, theirs.ConfigChangeHookInput>;
  CwdChangedHookInput: Same<ours.CwdChangedHookInput, theirs.CwdChangedHookInput>;
  CwdChangedHookSpecificOutput: Same<ours.CwdChangedHookSpecificOutput, theirs.CwdChangedHookSpecificOutput>;
  DirectoryAddedHookInput: Same<ours.DirectoryAddedHookInput, theirs.DirectoryAddedHookInput>;
  ElicitationHookInput: Same<ours.ElicitationHookInput, theirs.ElicitationHookInput>;
  ElicitationHookSpecificOutput: Same<
    ours.ElicitationHookSpecificOutput,
    theirs.ElicitationHookSpecificOutput
  >;
  ElicitationResultHookInput: Same<ours.ElicitationResultHookInput, theirs.ElicitationResultHookInput>;
  ElicitationResultHookSpecificOutput: Same<
    ours.ElicitationResultHookSpecificOutput,
    theirs.ElicitationResultHookSpecificOutput
  >;
  FileChangedHookInput: Same<ours.FileChangedHookInput, theirs.FileChangedHookInput>;
  FileChangedHookSpecificOutput: Same<
    ours.FileChangedHookSpecificOutput,
    theirs.FileChangedHookSpecificOutput
  >;
  HookCallback: Same<ours.HookCallback, theirs.HookCallback>;
  HookCallbackMatcher: Same<ours.HookCallbackMatcher, theirs.HookCallbackMatcher>;
  HookEvent: Same<ours.HookEvent, theirs.HookEvent>;
  HookInput: Same<ours.HookInput, theirs.HookInput>;
  HookJSONOutput: Same<ours.HookJSONOutput, theirs.HookJSONOutput>;
  HookPermissionDecision: Same<ours.HookPermissionDecision, theirs.HookPermissionDecision>;
  InstructionsLoadedHookInput: Same<ours.InstructionsLoadedHookInput, theirs.InstructionsLoadedHookInput>;
  MessageDisplayHookInput: Same<ours.MessageDisplayHookInput, theirs.MessageDisplayHookInput>;
  MessageDisplayHookSpecificOutput: Same<
    ours.MessageDisplayHookSpecificOutput,
    theirs.MessageDisplayHookSpecificOutput
  >;
  NotificationHookInput: Same<ours.NotificationHookInput, theirs.NotificationHookInput>;
  NotificationHookSpecificOutput: Same<
    ours.NotificationHookSpecificOutput,
    theirs.NotificationHookSpecificOutput
  >;
  PermissionDeniedHookInput: Same<ours.PermissionDeniedHookInput, theirs.PermissionDeniedHookInput>;
  PermissionDeniedHookSpecificOutput: Same<
    ours.PermissionDeniedHookSpecificOutput,
    theirs.PermissionDeniedHookSpecificOutput
  >;
  PermissionRequestHookInput: Same<ours.PermissionRequestHookInput, theirs.PermissionRequestHookInput>;
  PermissionRequestHookSpecificOutput: Same<
    ours.PermissionRequestHookSpecificOutput,
    theirs.PermissionRequestHookSpecificOutput
  >;
  PostCompactHookInput: Same<ours.PostCompactHookInput, theirs.PostCompactHookInput>;
  PostModelSwitchHookInput: Same<ours.PostModelSwitchHookInput, theirs.PostModelSwitchHookInput>;
  PostModelSwitchHookSpecificOutput: Same<
    ours.PostModelSwitchHookSpecificOutput,
    theirs.PostModelSwitchHookSpecificOutput
  >;
  PostToolBatchHookInput: Same<ours.PostToolBatchHookInput, theirs.PostToolBatchHookInput>;
  PostToolBatchHookSpecificOutput: Same<
    ours.PostToolBatchHookSpecificOutput,
    theirs.PostToolBatchHookSpecificOutput
  >;
  PostToolUseFailureHookInput: Same<ours.PostToolUseFailureHookInput, theirs.PostToolUseFailureHookInput>;
  PostToolUseFailureHookSpecificOutput: Same<
    ours.PostToolUseFailureHookSpecificOutput,
    theirs.PostToolUseFailureHookSpecificOutput
  >;
  PostToolUseHookInput: Same<ours.PostToolUseHookInput, theirs.PostToolUseHookInput>;
  PostToolUseHookSpecificOutput: Same<
    ours.PostToolUseHookSpecificOutput,
    theirs.PostToolUseHookSpecificOutput
  >;
  PreCompactHookInput: Same<ours.PreCompactHookInput, theirs.PreCompactHookInput>;
  PreModelSwitchHookInput: Same<ours.PreModelSwitchHookInput, theirs.PreModelSwitchHookInput>;
  PreModelSwitchHookSpecificOutput: Same<
    ours.PreModelSwitchHookSpecificOutput,
    theirs.PreModelSwitchHookSpecificOutput
  >;
  PreToolUseHookInput: Same<ours.PreToolUseHookInput, theirs.PreToolUseHookInput>;
  PreToolUseHookSpecificOutput: Same<ours.PreToolUseHookSpecificOutput, theirs.PreToolUseHookSpecificOutput>;
  SDKHookProgressMessage: Same<ours.SDKHookProgressMessage, theirs.SDKHookProgressMessage>;
  SDKHookResponseMessage: Same<ours.SDKHookResponseMessage, theirs.SDKHookResponseMessage>;
  SDKHookStartedMessage: Same<ours.SDKHookStartedMessage, theirs.SDKHookStartedMessage>;
  SessionEndHookInput: Same<ours.SessionEndHookInput, theirs.SessionEndHookInput>;
  SessionStartHookInput: Same<ours.SessionStartHookInput, theirs.SessionStartHookInput>;
  SessionStartHookSpecificOutput: Same<
    ours.SessionStartHookSpecificOutput,
    theirs.SessionStartHookSpecificOutput
  >;
  SetupHookInput: Same<ours.SetupHookInput, theirs.SetupHookInput>;
  SetupHookSpecificOutput: Same<ours.SetupHookSpecificOutput, theirs.SetupHookSpecificOutput>;
  StopFailureHookInput: Same<ours.StopFailureHookInput, theirs.StopFailureHookInput>;
  StopHookInput: Same<ours.StopHookInput, theirs.StopHookInput>;
  StopHookSpecificOutput: Same<ours.StopHookSpecificOutput, theirs.StopHookSpecificOutput>;
  SubagentStartHookInput: Same<ours.SubagentStartHookInput, theirs.SubagentStartHookInput>;
  SubagentStartHookSpecificOutput: Same<
    ours.SubagentStartHookSpecificOutput,
    theirs.SubagentStartHookSpecificOutput
  >;
  SubagentStopHookInput: Same<ours.SubagentStopHookInput, theirs.SubagentStopHookInput>;
  SubagentStopHookSpecificOutput: Same<
    ours.SubagentStopHookSpecificOutput,
    theirs.SubagentStopHookSpecificOutput
  >;
  SyncHookJSONOutput: Same<ours.SyncHookJSONOutput, theirs.SyncHookJSONOutput>;
  TaskCompletedHookInput: Same<ours.TaskCompletedHookInput, theirs.TaskCompletedHookInput>;
  TaskCreatedHookInput: Same<ours.TaskCreatedHookInput, theirs.TaskCreatedHookInput>;
  TeammateIdleHookInput: Same<ours.TeammateIdleHookInput, theirs.TeammateIdleHookInput>;
  UserPromptExpansionHookInput: Same<ours.UserPromptExpansionHookInput, theirs.UserPromptExpansionHookInput>;
  UserPromptExpansionHookSpecificOutput: Same<
    ours.UserPromptExpansionHookSpecificOutput,
    theirs.UserPromptExpansionHookSpecificOutput
  >;
  UserPromptSubmitHookInput: Same<ours.UserPromptSubmitHookInput, theirs.UserPromptSubmitHookInput>;
  UserPromptSubmitHookSpecificOutput: Same<
    ours.UserPromptSubmitHookSpecificOutput,
    theirs.UserPromptSubmitHookSpecificOutput
  >;
  WorktreeCreateHookInput: Same<ours.WorktreeCreateHookInput, theirs.WorktreeCreateHookInput>;
  WorktreeCreateHookSpecificOutput: Same<
    ours.WorktreeCreateHookSpecificOutput,
    theirs.WorktreeCreateHookSpecificOutput
  >;
  WorktreeRemoveHookInput: Same<ours.WorktreeRemoveHookInput, theirs.WorktreeRemoveHookInput>;
};

/** If one of the types differs, compilation fails and names it. */
export type AllHookTypesFit = Fits<Types, Record<keyof Types, true>>;
