import type { ScriptStep } from "@agentwire/models/script";
import type { JsonObject } from "@agentwire/protocol";
import type { ProjectFile } from "./lay-out.ts";

/** One call of a tool as the model makes it. */
export interface ToolCall {
  /** What is tried: unique among the calls of its tool in its group. */
  readonly name: string;
  readonly tool: string;
  /** `{{cwd}}` and `{{home}}` in its texts stand for the folders of the session. */
  readonly input: JsonObject;
  /** The lines of the result may come in any order: they are found by threads. */
  readonly anyOrder?: boolean;
  /** What the model says to whom the call gives work, before it hears of the result. */
  readonly between?: readonly ScriptStep[];
}

/** Calls that are made one after another in one session, in a folder laid out for them. */
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
