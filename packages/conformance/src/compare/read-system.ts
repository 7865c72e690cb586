import type { JsonObject } from "@agentwire/protocol";
import { at, listAt } from "../json-path.ts";
import { type Context, isCalled } from "./context.ts";
import type { Fields, UnplacedItem } from "./item.ts";
import { ofTool } from "./read-user.ts";

/** Reads a system line. */
export function readSystem(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const subtype = String(line.subtype);
  const kind = `system/${subtype}`;
  if (subtype.startsWith("task_")) return readTask(kind, line, context);
  if (subtype.startsWith("hook_")) return readHook(kind, line, context);
  switch (subtype) {
    case "init":
      context.inits++;
      return [{ kind, hard: readInit(line, context), place: { of: "end" } }];
    case "status": {
      const hard = { status: line.status ?? null, permissionMode: line.permissionMode ?? null };
      const soft = { compact_result: line.compact_result ?? null };
      return [{ kind, hard, soft, ...(line.status === "requesting" && { place: { of: "end" } }) }];
    }
    case "api_retry": {
      const hard = { attempt: line.attempt, error_status: line.error_status ?? null };
      const soft = { error: line.error ?? null, max_retries: line.max_retries ?? null };
      return [{ kind, hard, soft, place: { of: "end" } }];
    }
    case "permission_denied": {
      const tool = context.tool(line.tool_use_id);
      return [{ kind, hard: { tool_name: line.tool_name, tool }, place: ofTool(tool) }];
    }
    case "compact_boundary":
      return [{ kind, hard: { trigger: at(line, "compact_metadata", "trigger") ?? null } }];
    case "session_state_changed":
      return readState(kind, line, context);
    default:
      noteNotice(kind, context);
      return [];
  }
}

function readHook(kind: string, line: JsonObject, context: Context): readonly UnplacedItem[] {
  if (line.subtype === "hook_progress") {
    // One progress message per hook is enough: their number depends on timing.
    if (context.progressHooks.has(line.hook_id)) return [];
    context.progressHooks.add(line.hook_id);
  }
  const hard = { exit_code: line.exit_code ?? null, outcome: line.outcome ?? null };
  return [
    { kind: `${kind} ${line.hook_event}`, hard, soft: { output: line.output ?? null }, optional: true },
  ];
}

const INIT_KEYS = [
  "cwd",
  "session_id",
  "tools",
  "mcp_servers",
  "model",
  "permissionMode",
  "slash_commands",
  "apiKeySource",
  "claude_code_version",
  "output_style",
  "agents",
  "skills",
  "plugins",
  "uuid",
];

function readInit(line: JsonObject, context: Context): Fields {
  const servers = listAt(line, "mcp_servers").map(
    (server) => `${at(server, "name")}: ${at(server, "status")}`,
  );
  return {
    ...Object.fromEntries(INIT_KEYS.map((key) => [`type of ${key}`, typeOf(at(line, key))])),
    permissionMode: line.permissionMode,
    mcp_servers: servers.sort(),
    tools_are_names: listAt(line, "tools").every((tool) => typeof tool === "string"),
    session: context.session(line.session_id),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The lines of a task race with the others; each task is a separate sequence. */
function readTask(kind: string, line: JsonObject, context: Context): readonly UnplacedItem[] {
  const lane = `task ${context.task(line.task_id)}`;
  const isRepeated = kind === "system/task_progress" && context.lastOfTask.get(lane) === kind;
  context.lastOfTask.set(lane, kind);
  if (isRepeated) return [];
  const hard = {
    status: line.status ?? at(line, "patch", "status") ?? null,
    after_results: context.results,
    after_its_call: isCalled(line.tool_use_id, context),
  };
  return [{ kind, hard, soft: { tool: context.tool(line.tool_use_id) }, lane, optional: true }];
}

/** Becoming idle races with the other lines; every other state has a fixed position. */
function readState(kind: string, line: JsonObject, context: Context): readonly UnplacedItem[] {
  const hard = { after_results: context.results };
  const own: UnplacedItem = { kind: `${kind} ${line.state}`, hard, lane: "session state", optional: true };
  if (line.state === "idle") return [own];
  return [own, { kind: `session state ${line.state}`, optional: true }];
}

/** Records a line that only informs. Thinking is counted once in a row, however often it is reported. */
export function noteNotice(kind: string, { notices }: Context): void {
  if (kind === "system/thinking_tokens" && notices.at(-1) === kind) return;
  notices.push(kind);
}
