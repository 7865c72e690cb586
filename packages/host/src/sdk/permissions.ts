import type { PermissionDestination, PermissionMode } from "@agentwire/protocol/permission";

/** What a permission rule does with the calls it covers. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** Where a permission update is kept. */
export type PermissionUpdateDestination = PermissionDestination;

/** How a user's decision is to be counted: for once, for good, or as a refusal. */
export type PermissionDecisionClassification = "user_temporary" | "user_permanent" | "user_reject";

/** A permission rule taken apart: a tool, and the part of its calls that is meant. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string };

type RulesUpdate<Type extends string> = {
  type: Type;
  rules: PermissionRuleValue[];
  behavior: PermissionBehavior;
  destination: PermissionUpdateDestination;
};

type DirectoriesUpdate<Type extends string> = {
  type: Type;
  directories: string[];
  destination: PermissionUpdateDestination;
};

/** A change to the permissions of a session or of a settings file. */
export type PermissionUpdate =
  | RulesUpdate<"addRules">
  | RulesUpdate<"replaceRules">
  | RulesUpdate<"removeRules">
  | { type: "setMode"; mode: PermissionMode; destination: PermissionUpdateDestination }
  | DirectoriesUpdate<"addDirectories">
  | DirectoriesUpdate<"removeDirectories">;

type Decided = { toolUseID?: string; decisionClassification?: PermissionDecisionClassification };

type Allowed = {
  behavior: "allow";
  /** Runs in place of the input that the model wrote. */
  updatedInput?: Record<string, unknown>;
  updatedPermissions?: PermissionUpdate[];
};

type Denied = {
  behavior: "deny";
  /** Told to the model. */
  message: string;
  /** True also ends the turn. */
  interrupt?: boolean;
};

/** What a host decided about one tool call. */
export type PermissionResult = (Allowed & Decided) | (Denied & Decided);

/** Which MCP server a tool comes from, and who configured that server. */
export type McpServerProvenance = { name: string; source: string };

/** What a host is told about a tool call besides its name and input. */
export type PermissionContext = {
  /** Aborted when the answer is no longer awaited. */
  signal: AbortSignal;
  /** Updates that would make the agent stop asking about calls like this one. */
  suggestions?: PermissionUpdate[];
  blockedPath?: string;
  mcpServer?: McpServerProvenance;
  decisionReason?: string;
  title?: string;
  displayName?: string;
  description?: string;
  defaultToNo?: boolean;
  suppressAlwaysAllowRule?: boolean;
  toolUseID: string;
  /** Set when a subagent made the call. */
  agentID?: string;
  requestId: string;
  matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
};

/** Decides about one tool call; null leaves the request to another party, which must answer it by its id. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: PermissionContext,
) => Promise<PermissionResult | null>;
