import { isAbsolute } from "node:path";
import {
  type CreateSessionRequest,
  type EndWorktreeRequest,
  type SendPromptRequest,
  WorktreeEnd,
} from "@agentwire/api";
import type { EffortLevel } from "@agentwire/host";
import { isFolder } from "@agentwire/local/files";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { hostRequests } from "@agentwire/protocol/control";
import { type MessageContent, messageContent } from "@agentwire/protocol/messages";
import { PERMISSION_MODES } from "@agentwire/protocol/permission";
import { DaemonError } from "../errors.ts";
import type { WorktreeEnding } from "../session/worktree.ts";

/** Throws if a session can't be created as requested. */
export function checkNewSession({
  cwd,
  permissionMode,
  effort,
  prompt,
  branch,
  worktree,
}: CreateSessionRequest): void {
  checkEffort(effort);
  if (cwd !== "") checkFolder(cwd);
  if (permissionMode !== "") checkMode(permissionMode);
  if (branch !== "" && worktree)
    throw new DaemonError(
      "INVALID_ARGUMENT",
      "branch: a worktree gets its own branch; name the base of the worktree instead",
    );
  if (prompt !== "") contentOf({ text: prompt, contentJson: "" });
}

/** Throws for a permission mode that no agent has. */
export function checkMode(mode: string): void {
  if ((PERMISSION_MODES as readonly string[]).includes(mode)) return;
  throw new DaemonError("INVALID_ARGUMENT", `permission_mode: choose one of ${PERMISSION_MODES.join(", ")}`);
}

const EFFORTS: readonly string[] = ["", "low", "medium", "high", "xhigh", "max"] satisfies (
  | ""
  | EffortLevel
)[];

/** Throws for an effort that no agent knows. */
export function checkEffort(effort: string): void {
  if (EFFORTS.includes(effort)) return;
  throw new DaemonError("INVALID_ARGUMENT", `effort: choose one of ${EFFORTS.slice(1).join(", ")}`);
}

const MAX_SERVERS = 64;

/** Reads a client's MCP servers, by name; throws for servers that no agent could start. */
export function readServers(json: string): JsonObject {
  let servers: unknown;
  try {
    servers = JSON.parse(json);
  } catch (cause) {
    throw new DaemonError("INVALID_ARGUMENT", "servers_json is not JSON", { cause });
  }
  const isKnown = hostRequests.mcp_set_servers.request.accepts({ subtype: "mcp_set_servers", servers });
  if (!isKnown || !isJsonObject(servers))
    throw new DaemonError(
      "INVALID_ARGUMENT",
      'servers_json: expected servers by name, as in {"docs":{"command":"…","args":[]}}',
    );
  const own = Object.entries(servers).find(
    ([, server]) => isJsonObject(server) && server.type === "sdk",
  )?.[0];
  if (own !== undefined)
    throw new DaemonError(
      "INVALID_ARGUMENT",
      `servers_json: ${own} runs in the client's own process, which agents can't reach`,
    );
  if (Object.keys(servers).length > MAX_SERVERS)
    throw new DaemonError("INVALID_ARGUMENT", `servers_json: more than ${MAX_SERVERS} servers`);
  return servers;
}

/** Throws unless the path is a folder. */
export function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) throw new DaemonError("INVALID_ARGUMENT", "cwd: give an absolute path");
  if (!isFolder(cwd)) throw new DaemonError("INVALID_ARGUMENT", `cwd: there is no folder ${cwd}`);
}

/** The content of a prompt: a text, or content blocks, which are validated. */
export function contentOf({
  text,
  contentJson,
}: Pick<SendPromptRequest, "text" | "contentJson">): MessageContent {
  if (contentJson === "") {
    if (text.trim() === "") throw new DaemonError("INVALID_ARGUMENT", "the prompt is empty");
    return text;
  }
  let content: unknown;
  try {
    content = JSON.parse(contentJson);
  } catch (cause) {
    throw new DaemonError("INVALID_ARGUMENT", "content_json is not JSON", { cause });
  }
  if (!messageContent.accepts(content))
    throw new DaemonError("INVALID_ARGUMENT", "content_json is not a list of content blocks");
  if (content.length === 0) throw new DaemonError("INVALID_ARGUMENT", "the prompt is empty");
  return content;
}

/** How to end a worktree. */
export function endingOf({ end, commitMessage, discard }: EndWorktreeRequest): WorktreeEnding {
  switch (end) {
    case WorktreeEnd.KEEP:
      return { end: "keep" };
    case WorktreeEnd.MERGE:
      return { end: "merge", message: commitMessage };
    case WorktreeEnd.REMOVE:
      return { end: "remove", discard };
    default:
      throw new DaemonError("INVALID_ARGUMENT", "end: choose KEEP, MERGE or REMOVE");
  }
}
