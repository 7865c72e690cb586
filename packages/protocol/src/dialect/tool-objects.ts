import { isJsonObject, type JsonObject } from "../json.ts";
import { objectsAt, stringAt } from "./spelling.ts";

/** Reduces the tools of an init message to names; the rest of their descriptions moves to `tool_definitions`. */
export function withNamedTools(init: JsonObject): JsonObject {
  const definitions = objectsAt(init, "tools");
  if (definitions.length === 0 || !Array.isArray(init.tools)) return init;
  const names = init.tools.map((tool: unknown) => (isJsonObject(tool) ? stringAt(tool, "name") : tool));
  return { ...init, tools: names.filter((name) => name !== undefined), tool_definitions: definitions };
}

/** Restores the tool objects in place of their names. */
export function withToolObjects(init: JsonObject): JsonObject {
  const { tool_definitions: _, ...rest } = init;
  const definitions = new Map(objectsAt(init, "tool_definitions").map((tool) => [tool.name, tool]));
  if (definitions.size === 0 || !Array.isArray(init.tools)) return rest;
  return { ...rest, tools: init.tools.map((name: unknown) => definitions.get(name) ?? name) };
}
