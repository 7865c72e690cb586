import type { Infer } from "../../schema/schema.ts";
import type { ruleBehavior } from "../update.ts";
import type { PermissionRule } from "./rule.ts";

/** What a rule does with the calls it covers. */
export type RuleBehavior = Infer<typeof ruleBehavior>;

/** A rule as it was given, with what it does and where it came from. */
export interface GivenRule {
  readonly behavior: RuleBehavior;
  readonly rule: PermissionRule;
  /** Names the settings file or flag that holds the rule; for people. */
  readonly source?: string;
  /** The absolute directory that a path beginning with one `/` starts at; absent: the working directory. */
  readonly root?: string;
}

/** One call of a tool, as the model asked for it. */
export interface ToolCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a rule needs to know about the world. */
export interface RuleContext {
  /** The absolute working directory of the call. */
  readonly cwd: string;
  /** The absolute home directory; without it no rule with `~/` matches. */
  readonly home?: string;
  /** Further absolute spellings of the call's path, such as with its symbolic links resolved. */
  readonly resolvedPaths?: readonly string[];
}
