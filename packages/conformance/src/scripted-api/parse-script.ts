import { isJsonObject } from "@agentwire/protocol";
import { listAt } from "../json-path.ts";
import { ScriptError } from "../scripted-agent/step.ts";
import type { Script } from "./script.ts";

/** Reads a script of the API from JSON; what makes no sense throws, with the place. */
export function parseApiScript(text: string): Script {
  const script = parsed(text);
  if (!isJsonObject(script) || !Array.isArray(script.steps))
    throw new ScriptError('a script is an object with "steps", a list');
  const afterwards = script.afterwards === undefined ? [] : [script.afterwards];
  for (const [index, step] of [...script.steps, ...afterwards].entries())
    if (!isStep(step))
      throw new ScriptError(`step ${index + 1} is neither a reply, nor a failure, nor a reset`);
  return script as unknown as Script;
}

const BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

function isStep(step: unknown): boolean {
  if (!isJsonObject(step)) return false;
  switch (step.type) {
    case "reply":
      return Array.isArray(step.content) && listAt(step, "content").every(isBlock);
    case "failure":
      return typeof step.status === "number" && isJsonObject(step.error);
    default:
      return step.type === "reset";
  }
}

const isBlock = (block: unknown) => isJsonObject(block) && BLOCKS.has(String(block.type));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ScriptError(`the script is not JSON: ${(cause as Error).message}`, { cause });
  }
}
