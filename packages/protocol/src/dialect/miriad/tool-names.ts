import { isJsonObject, type JsonObject } from "../../json.ts";
import { inverted, renamed } from "../spelling.ts";

/** The canonical tool names and how miriad spells them. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["Read", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["Bash", "bash"],
  ["Glob", "glob"],
  ["Grep", "grep"],
  ["NotebookEdit", "notebookedit"],
  ["WebFetch", "webfetch"],
  ["WebSearch", "websearch"],
  ["TodoWrite", "todowrite"],
  ["Agent", "task"],
]);

/** The canonical input keys and how miriad spells them. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["file_path", "filePath"],
  ["old_string", "oldString"],
  ["new_string", "newString"],
  ["replace_all", "replaceAll"],
  ["notebook_path", "notebookPath"],
  ["new_source", "newSource"],
  ["cell_id", "cellId"],
  ["cell_type", "cellType"],
  ["edit_mode", "editMode"],
  ["output_mode", "outputMode"],
  ["head_limit", "headLimit"],
  ["run_in_background", "runInBackground"],
  ["subagent_type", "subagentType"],
  ["allowed_domains", "allowedDomains"],
  ["blocked_domains", "blockedDomains"],
]);

const CANONICAL_TOOLS = inverted(TOOLS);
const CANONICAL_KEYS = inverted(KEYS);

/** Respells the tool calls among content blocks as miriad does; tools that it has no name for are unchanged. */
export const toMiriadTools = (content: unknown): unknown => respelled(content, TOOLS, KEYS);

/** Respells the tool calls among content blocks as the canonical wire does. */
export const toCanonicalTools = (content: unknown): unknown =>
  respelled(content, CANONICAL_TOOLS, CANONICAL_KEYS);

/** One call: a tool and its input. */
export interface ToolCall {
  readonly name: unknown;
  readonly input: unknown;
}

/** One call as miriad spells it. */
export const toMiriadCall = (spoken: ToolCall): ToolCall => respelledCall(spoken, TOOLS, KEYS);

/** One call as the canonical wire spells it. */
export const toCanonicalCall = (spoken: ToolCall): ToolCall =>
  respelledCall(spoken, CANONICAL_TOOLS, CANONICAL_KEYS);

/** A message that names a tool outside a call, with the name as miriad spells it. */
export const toMiriadMention = (message: JsonObject): JsonObject => withToolName(message, TOOLS);

/** The same as the canonical wire spells it. */
export const toCanonicalMention = (message: JsonObject): JsonObject => withToolName(message, CANONICAL_TOOLS);

function withToolName(message: JsonObject, tools: ReadonlyMap<string, string>): JsonObject {
  const name = typeof message.tool_name === "string" ? tools.get(message.tool_name) : undefined;
  return name === undefined ? message : { ...message, tool_name: name };
}

/** The input of a canonical tool, which a host may have written in either spelling. */
export function toCanonicalInput(tool: string, input: unknown): unknown {
  return TOOLS.has(tool) && isJsonObject(input) ? renamed(input, CANONICAL_KEYS) : input;
}

function respelled(
  content: unknown,
  tools: ReadonlyMap<string, string>,
  keys: ReadonlyMap<string, string>,
): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) => (isToolUse(block) ? respelledCall(block, tools, keys) : block));
}

const isToolUse = (block: unknown): block is JsonObject & ToolCall =>
  isJsonObject(block) && block.type === "tool_use";

function respelledCall<Call extends ToolCall>(
  call: Call,
  tools: ReadonlyMap<string, string>,
  keys: ReadonlyMap<string, string>,
): Call {
  const name = typeof call.name === "string" ? tools.get(call.name) : undefined;
  if (name === undefined) return call;
  return { ...call, name, input: isJsonObject(call.input) ? renamed(call.input, keys) : call.input };
}
