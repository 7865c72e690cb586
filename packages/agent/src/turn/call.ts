import type { JsonObject } from "@agentwire/protocol";
import type { ToolUseBlock } from "@agentwire/protocol/messages";
import { checkInput } from "../tools/check-input.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";

/** A tool call of the model, with its input checked. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly tool: Tool | undefined;
  /** Why the call can't run at all. */
  readonly problem: string | undefined;
}

/** Reads a call: finds its tool, checks its input and fills in defaults. `badInput` is an input that is not a JSON object. */
export function readCall(
  tools: ReadonlyMap<string, Tool>,
  { id, name, input }: ToolUseBlock,
  badInput?: string,
): Call {
  const tool = tools.get(name);
  if (!tool) return { id, name, input, tool, problem: missingTool(tools, name) };
  if (badInput !== undefined)
    return {
      id,
      name,
      input,
      tool,
      problem: unusable(name, [`The input is not a JSON object: ${badInput.slice(0, 200)}`]),
    };
  const checked = readInput(tool, input);
  return typeof checked === "string"
    ? { id, name, input, tool, problem: checked }
    : { id, name, input: checked, tool, problem: undefined };
}

/** The input for a tool, with defaults filled in; a text that explains the problem if it is invalid. */
export function readInput(tool: Tool, input: JsonObject): JsonObject | string {
  // Only the server knows which inputs it accepts.
  if ("mcp" in tool) return input;
  const checked = checkInput(tool.inputSchema, input);
  if (!checked.ok) return unusable(tool.name, checked.issues);
  return tool.tidy ? tool.tidy(checked.input) : checked.input;
}

/** Whether a call may run in parallel with others: it changes nothing, or does not run at all. */
export function isHarmless({ tool, input, problem }: Call): boolean {
  if (!tool || problem !== undefined) return true;
  try {
    return tool.isReadOnly(input);
  } catch {
    return false;
  }
}

/** What a call would do, in a few words for people; undefined if its tool does not say. */
export function describeCall(
  tool: Tool | undefined,
  input: JsonObject,
  workspace: Workspace,
): string | undefined {
  try {
    return tool?.describe?.(input, workspace);
  } catch {
    return undefined;
  }
}

const unusable = (name: string, issues: readonly string[]) =>
  `InputValidationError: ${name} failed due to the following issue${issues.length === 1 ? "" : "s"}:\n${issues.join("\n")}`;

/** Names must match exactly; if only the case is wrong, the error says so. */
function missingTool(tools: ReadonlyMap<string, Tool>, name: string): string {
  const near = [...tools.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
  const hint = near === undefined ? "" : `. Tool names are case-sensitive: call ${near} instead.`;
  return `Error: No such tool available: ${name}${hint}`;
}
