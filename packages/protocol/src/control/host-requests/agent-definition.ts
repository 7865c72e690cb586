import { effortLevel } from "../../catalog/catalog.ts";
import { mcpServerConfig } from "../../catalog/mcp-server.ts";
import { PERMISSION_MODES } from "../../permission/mode.ts";
import { array, record } from "../../schema/collection.ts";
import { object, optional } from "../../schema/object.ts";
import { boolean, number, oneOf, string } from "../../schema/scalar.ts";
import type { Infer } from "../../schema/schema.ts";
import { either } from "../../schema/union.ts";

/** A subagent that the host defines for the session. */
export const agentDefinition = object({
  description: string,
  prompt: string,
  tools: optional(array(string), "absent: all of the session's tools"),
  disallowedTools: optional(array(string)),
  model: optional(string, "alias, id or `inherit`"),
  mcpServers: optional(array(either(string, record(mcpServerConfig))), "by name, or defined here"),
  skills: optional(array(string)),
  initialPrompt: optional(string, "sent first if this is the main agent"),
  maxTurns: optional(number),
  autoCompactWindow: optional(number, "tokens"),
  background: optional(boolean),
  isolation: optional(oneOf("worktree"), "runs in its own worktree"),
  omitClaudeMd: optional(boolean),
  memory: optional(oneOf("user", "project", "local")),
  effort: optional(either(effortLevel, number)),
  permissionMode: optional(oneOf(...PERMISSION_MODES, "manual")),
  observer: optional(string, "agents that observe this one, comma-separated"),
  observerMessage: optional(string),
  criticalSystemReminder_EXPERIMENTAL: optional(string),
});

/** A subagent that the host defines for the session. */
export type AgentDefinition = Infer<typeof agentDefinition>;
