import { isJsonObject, type JsonObject } from "@agentwire/protocol";

/** A prompt as a host sends it. */
export function prompt(text: string, more: JsonObject = {}): JsonObject {
  return { type: "user", message: { role: "user", content: text }, ...more };
}

/** A control request as a host sends it. */
export function request(id: string, subtype: string, params: JsonObject = {}): JsonObject {
  return { type: "control_request", request_id: id, request: { subtype, ...params } };
}

/** A host's answer to a request of the agent. */
export function answer(id: unknown, response: JsonObject): JsonObject {
  return { type: "control_response", response: { subtype: "success", request_id: id, response } };
}

/** A predicate for lines of a type and, if given, a subtype. */
export const is =
  (type: string, subtype?: string) =>
  (line: JsonObject): boolean =>
    line.type === type && (subtype === undefined || line.subtype === subtype);

export const isResult = is("result");

/** A predicate for control requests of this subtype to the host. */
export const asks =
  (subtype: string) =>
  (line: JsonObject): boolean =>
    line.type === "control_request" && isJsonObject(line.request) && line.request.subtype === subtype;

/** A predicate for the answer to the host's request with this id. */
export const answers =
  (id: string) =>
  (line: JsonObject): boolean =>
    line.type === "control_response" && isJsonObject(line.response) && line.response.request_id === id;

/** A predicate for messages with a block of this type. */
export const holds =
  (type: "text" | "tool_use" | "tool_result") =>
  (line: JsonObject): boolean =>
    blocksOf(line.message).some((block) => block.type === type);

/** The content blocks of an API message, whatever shape it has. */
export function blocksOf(message: unknown): readonly JsonObject[] {
  if (!isJsonObject(message)) return [];
  if (typeof message.content === "string") return [{ type: "text", text: message.content }];
  return Array.isArray(message.content) ? message.content.filter(isJsonObject) : [];
}

/** All text of a message, including tool results. */
export function textOf(message: unknown): string {
  return blocksOf(message)
    .map((block) => (block.type === "text" ? String(block.text) : JSON.stringify(block.content ?? "")))
    .join("\n");
}
