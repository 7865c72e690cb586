import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { expect } from "vitest";
import { blocksOf } from "./wire.ts";

/** Throws unless the Messages API would accept this conversation: roles alternate, and every tool call has exactly one result. */
export function expectSoundHistory(messages: unknown): readonly JsonObject[] {
  const list = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const roles = list.map((message) => message.role);
  expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
  expect(roles.at(-1)).toBe("user");
  for (const [index, message] of list.entries()) {
    if (message.role !== "assistant") continue;
    const called = blocksOf(message).filter((block) => block.type === "tool_use");
    const results = blocksOf(list[index + 1]).filter((block) => block.type === "tool_result");
    expect(results.map((block) => block.tool_use_id).sort()).toEqual(called.map((block) => block.id).sort());
  }
  const firstResults = blocksOf(list[0]).filter((block) => block.type === "tool_result");
  expect(firstResults, "results without a call").toEqual([]);
  return list;
}
