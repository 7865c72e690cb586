import { isJsonObject, type JsonObject } from "../../json.ts";
import { objectAt, shown } from "../spelling.ts";
import { type ToolCall, toCanonicalCall, toCanonicalInput, toMiriadCall } from "./tool-names.ts";

/**
 * Spells the tools in an agent's requests to its host as the rest of the miriad wire does, and reads the
 * input in the answers back. miriad-code itself sends no such requests.
 */
export class Questions {
  /** The tool that each open question is about. */
  readonly #tools = new Map<string, string>();

  /** A request of the agent, in miriad's spelling. */
  ask(message: JsonObject): JsonObject {
    return respelled(message, (call) => {
      const spelled = toMiriadCall(call);
      if (spelled.name !== call.name) this.#tools.set(shown(message.request_id), shown(call.name));
      return spelled;
    });
  }

  /** An answer of the host, in the canonical spelling. */
  answer(message: JsonObject): JsonObject {
    const response = objectAt(message, "response");
    const id = shown(response.request_id);
    const tool = this.#tools.get(id);
    this.#tools.delete(id);
    const said = response.response;
    if (tool === undefined || !isJsonObject(said)) return message;
    const { hookSpecificOutput: specific } = said;
    const read = {
      ...withInput(said, tool),
      ...(isJsonObject(specific) && { hookSpecificOutput: withInput(specific, tool) }),
    };
    return { ...message, response: { ...response, response: read } };
  }

  /** A question that was withdrawn is not answered. */
  withdraw(id: unknown): void {
    this.#tools.delete(shown(id));
  }
}

/** A question for a host that knows only the canonical spelling; its answers are understood in either spelling. */
export const canonicalQuestion = (message: JsonObject): JsonObject => respelled(message, toCanonicalCall);

function respelled(message: JsonObject, spell: (call: ToolCall) => ToolCall): JsonObject {
  const request = objectAt(message, "request");
  if (request.subtype === "can_use_tool") {
    const { name, input } = spell({ name: request.tool_name, input: request.input });
    return { ...message, request: { ...request, tool_name: name, input } };
  }
  const facts = objectAt(request, "input");
  if (request.subtype !== "hook_callback" || !("tool_name" in facts)) return message;
  const { name, input } = spell({ name: facts.tool_name, input: facts.tool_input });
  return { ...message, request: { ...request, input: { ...facts, tool_name: name, tool_input: input } } };
}

const withInput = (answer: JsonObject, tool: string): JsonObject =>
  "updatedInput" in answer
    ? { ...answer, updatedInput: toCanonicalInput(tool, answer.updatedInput) }
    : answer;
