import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** The longest line that the Python SDK reads. */
const MAX_BYTES = 1024 * 1024;

/** Types that the Python SDK uses internally: as a message, they would end or break its stream. */
const RESERVED: readonly unknown[] = ["error", "end"];

/** The keys that the Python SDK reads without checking that they exist, as dotted paths, by type and subtype. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ["user", ["message.content"]],
  ["assistant", ["message.content", "message.model"]],
  ["system", ["subtype"]],
  ["system/task_started", ["task_id", "description", "uuid", "session_id"]],
  ["system/task_progress", ["task_id", "description", "usage", "uuid", "session_id"]],
  ["system/task_notification", ["task_id", "status", "output_file", "summary", "uuid", "session_id"]],
  ["result", ["subtype", "duration_ms", "duration_api_ms", "is_error", "num_turns", "session_id"]],
  ["stream_event", ["uuid", "session_id", "event"]],
  ["rate_limit_event", ["rate_limit_info.status", "uuid", "session_id"]],
  ["control_request", ["request_id", "request.subtype"]],
  ["control_response", ["response.subtype", "response.request_id"]],
]);

const REQUIRED_OF_BLOCK: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["text"]],
  ["thinking", ["thinking", "signature"]],
  ["tool_use", ["id", "name", "input"]],
  ["tool_result", ["tool_use_id"]],
  ["server_tool_use", ["id", "name", "input"]],
  ["advisor_tool_result", ["tool_use_id", "content"]],
]);

/** The errors that the Python SDK's parser would raise for a line of the agent. */
export function missingKeys(line: string): readonly string[] {
  if (Buffer.byteLength(line) > MAX_BYTES) return [`a line of ${Buffer.byteLength(line)} bytes`];
  const message: unknown = JSON.parse(line);
  if (!isJsonObject(message)) return [`not an object: ${line}`];
  const type = String(message.type);
  if (RESERVED.includes(type)) return [`the reserved type ${type}`];
  const kind = typeof message.subtype === "string" ? `${type}/${message.subtype}` : type;
  const keys = [...(REQUIRED.get(type) ?? []), ...(REQUIRED.get(kind) ?? [])];
  return [
    ...new Set(
      keys.filter((key) => valueAt(message, key) === undefined).map((key) => `${kind} without ${key}`),
    ),
    ...blocksOf(message).flatMap((block) =>
      (REQUIRED_OF_BLOCK.get(String(block.type)) ?? [])
        .filter((key) => block[key] === undefined)
        .map((key) => `${kind}: a block ${block.type} without ${key}`),
    ),
  ];
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const content = isJsonObject(message.message) ? message.message.content : undefined;
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function valueAt(message: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), message);
}
