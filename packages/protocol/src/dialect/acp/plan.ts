import type { PlanEntry } from "@agentclientprotocol/sdk";
import type { JsonObject } from "../../json.ts";
import { objectsAt, stringAt } from "../spelling.ts";

/** The tool that carries a plan on the canonical wire. */
export const PLAN_TOOL = "TodoWrite";

/** The entries of a plan, from the tool's input. */
export const planEntries = (input: JsonObject): PlanEntry[] =>
  objectsAt(input, "todos").map((todo) => ({
    content: stringAt(todo, "content") ?? "",
    priority: oneOf(todo.priority, "high", "medium", "low") ?? "medium",
    status: oneOf(todo.status, "pending", "in_progress", "completed") ?? "pending",
  }));

/** The tool's input, from an update with a plan. */
export const planInput = (update: JsonObject): JsonObject => ({
  todos: objectsAt(update, "entries").map((entry) => {
    const content = stringAt(entry, "content") ?? "";
    return { content, status: entry.status ?? "pending", activeForm: content, priority: entry.priority };
  }),
});

const oneOf = <T extends string>(value: unknown, ...choices: readonly T[]): T | undefined =>
  choices.find((choice) => choice === value);
