import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { ProjectFile } from "./lay-out.ts";

/** One tool call by the model. */
export interface ToolCall {
  /** What the call tests: unique among the calls of its tool in its group. */
  readonly name: string;
  readonly tool: string;
  /** The texts may contain `{{cwd}}` and `{{home}}` for the folders of the session. */
  readonly input: JsonObject;
  /** Whether the lines of the result may be in any order, because threads find them. */
  readonly anyOrder?: boolean;
  /** The model's replies to the subagent that the call starts, before it gets the result. */
  readonly between?: readonly ScriptStep[];
}

/** Calls made one after another in one session, in a folder prepared for them. */
export interface CallGroup {
  readonly name: string;
  readonly project: readonly ProjectFile[];
  /** Files of the user's home. */
  readonly home?: readonly ProjectFile[];
  /** Flags of the agent. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly calls: readonly ToolCall[];
}

/** The name of a call in recordings and reports. */
export function nameOf({ tool, name }: ToolCall): string {
  return `${tool}: ${name}`;
}
