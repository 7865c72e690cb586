import { RuleBehavior, RuleScope } from "@agentwire/api";

/** Labels for what a rule does with a call. */
export const BEHAVIOR_WORDS: ReadonlyMap<RuleBehavior, string> = new Map([
  [RuleBehavior.ALLOW, "allow"],
  [RuleBehavior.ASK, "ask"],
  [RuleBehavior.DENY, "deny"],
]);

/** Labels for where a rule applies. */
export const SCOPE_WORDS: ReadonlyMap<RuleScope, string> = new Map([
  [RuleScope.SESSION, "one session"],
  [RuleScope.PROJECT, "one folder"],
  [RuleScope.USER, "all folders"],
  [RuleScope.MANAGED, "set by the administrator"],
]);

/** The main input field of common tools. */
export const MAIN_FIELDS: ReadonlyMap<string, readonly [field: string, label: string, example: string]> =
  new Map([
    ["Bash", ["command", "Command", "npm test"]],
    ["Edit", ["file_path", "File", "/path/to/file"]],
    ["Write", ["file_path", "File", "/path/to/file"]],
    ["Read", ["file_path", "File", "/path/to/file"]],
    ["WebFetch", ["url", "Address", "https://example.com/"]],
  ]);
