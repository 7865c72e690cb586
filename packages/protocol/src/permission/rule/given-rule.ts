import type { Infer } from "../../schema/schema.ts";
import type { ruleBehavior } from "../update.ts";
import type { PermissionRule } from "./rule.ts";

/** What a rule does with the calls it covers. */
export type RuleBehavior = Infer<typeof ruleBehavior>;

/** A rule with its effect and its source. */
export interface GivenRule {
  readonly behavior: RuleBehavior;
  readonly rule: PermissionRule;
  /** The settings file or flag that contains the rule; for people. */
  readonly source?: string;
  /** The absolute directory that a path beginning with a single `/` starts at; absent: the current directory. */
  readonly root?: string;
}

/** One call of a tool, as the model asked for it. */
export interface ToolCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The environment that a rule is evaluated in. */
export interface RuleContext {
  /** The absolute current directory of the call. */
  readonly cwd: string;
  /** The absolute home directory; without it no rule with `~/` matches. */
  readonly home?: string;
  /** Other absolute spellings of the call's path, such as with its symbolic links resolved. */
  readonly resolvedPaths?: readonly string[];
}
