import type { PermissionDestination, PermissionMode } from "@agentwire/protocol/permission";

/** What a permission rule does with the calls it covers. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** Where a permission update is stored. */
export type PermissionUpdateDestination = PermissionDestination;

/** How to count a user's decision: once, permanently, or as a rejection. */
export type PermissionDecisionClassification = "user_temporary" | "user_permanent" | "user_reject";

/** A parsed permission rule: a tool, and the calls of it that are meant. */
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
  /** Replaces the input that the model wrote. */
  updatedInput?: Record<string, unknown>;
  updatedPermissions?: PermissionUpdate[];
};

type Denied = {
  behavior: "deny";
  /** Reported to the model. */
  message: string;
  /** True also ends the turn. */
  interrupt?: boolean;
};

/** What a host decided about one tool call. */
export type PermissionResult = (Allowed & Decided) | (Denied & Decided);

/** Which MCP server a tool comes from, and who configured that server. */
export type McpServerProvenance = { name: string; source: string };

/** What a host learns about a tool call besides its name and input. */
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

/** Decides about one tool call; null leaves the request to another party, which must answer it by id. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: PermissionContext,
) => Promise<PermissionResult | null>;
