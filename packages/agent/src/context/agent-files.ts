import type { JsonObject } from "@agentwire/protocol";
import { type AgentDefinition, readHostRequest } from "@agentwire/protocol/control";
import { namesProvider, shown } from "../settings/untrusted.ts";
import { type FileOwner, listOf, type MarkdownFile } from "./markdown-files.ts";

/** Front matter keys with the same meaning as in `initialize.agents`. */
const SAME = [
  "model",
  "initialPrompt",
  "maxTurns",
  "autoCompactWindow",
  "background",
  "isolation",
  "omitClaudeMd",
  "memory",
  "effort",
] as const;
/**
 * Keys that give an agent more rights than the session has. They are ignored for agents of plugins, because nobody approves those
 * individually.
 */
const TRUSTED = ["permissionMode", "mcpServers"] as const;

/** Keys of a file that are ignored while its folder is not trusted. */
export function withheldKeys({ front }: MarkdownFile): readonly string[] {
  const given = TRUSTED.filter((key) => front[key] !== undefined && front[key] !== null);
  const keys = namesProvider(front.model) ? ["model", ...given] : given;
  return keys.map((key) => `${key} ${shown(front[key])}`);
}

/** Reads an agent from its file; ignores keys that can't be read. */
export function toAgent(name: string, { front, body }: MarkdownFile, owner: FileOwner): AgentDefinition {
  const basic: AgentDefinition = {
    description: typeof front.description === "string" ? front.description : name,
    prompt: body.trim(),
    ...list(front, "tools"),
    ...list(front, "disallowedTools"),
    ...list(front, "skills"),
  };
  const more = owner === "plugin" || owner === "stranger" ? SAME : [...SAME, ...TRUSTED];
  const known = owner === "stranger" && namesProvider(front.model) ? { ...front, model: undefined } : front;
  const agent = more.reduce((read, key) => withKey(read, key, known[key]), basic);
  // A project must not be able to turn off permission questions.
  if (owner === "user" || agent.permissionMode !== "bypassPermissions") return agent;
  const { permissionMode: _, ...rest } = agent;
  return rest;
}

function list(front: JsonObject, key: "tools" | "disallowedTools" | "skills") {
  const items = listOf(front[key]);
  return items ? { [key]: items } : {};
}

function withKey(agent: AgentDefinition, key: string, value: unknown): AgentDefinition {
  if (value === undefined || value === null) return agent;
  // A single server need not be in a list.
  const given = key === "mcpServers" && !Array.isArray(value) ? [value] : value;
  const read = readHostRequest({ subtype: "initialize", agents: { it: { ...agent, [key]: given } } });
  const agents = read.ok && "agents" in read.request ? read.request.agents : undefined;
  return agents?.it ?? agent;
}
