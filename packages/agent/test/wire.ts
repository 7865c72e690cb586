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

/** Tells whether a line is of a type, and of a subtype where one is given. */
export const is =
  (type: string, subtype?: string) =>
  (line: JsonObject): boolean =>
    line.type === type && (subtype === undefined || line.subtype === subtype);

export const isResult = is("result");

/** Tells whether a line asks the host something of this kind. */
export const asks =
  (subtype: string) =>
  (line: JsonObject): boolean =>
    line.type === "control_request" && isJsonObject(line.request) && line.request.subtype === subtype;

/** Tells whether a line answers the host's request of this id. */
export const answers =
  (id: string) =>
  (line: JsonObject): boolean =>
    line.type === "control_response" && isJsonObject(line.response) && line.response.request_id === id;

/** Tells whether a line is a message with a block of this type. */
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

/** All text of a message, also what tools returned. */
export function textOf(message: unknown): string {
  return blocksOf(message)
    .map((block) => (block.type === "text" ? String(block.text) : JSON.stringify(block.content ?? "")))
    .join("\n");
}
