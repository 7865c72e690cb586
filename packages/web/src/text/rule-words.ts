import { RuleBehavior, RuleScope } from "@agentwire/api";

/** What a rule does with a call. */
export const BEHAVIOR_WORDS: ReadonlyMap<RuleBehavior, string> = new Map([
  [RuleBehavior.ALLOW, "allow"],
  [RuleBehavior.ASK, "ask"],
  [RuleBehavior.DENY, "deny"],
]);

/** Where a rule counts. */
export const SCOPE_WORDS: ReadonlyMap<RuleScope, string> = new Map([
  [RuleScope.SESSION, "one session"],
  [RuleScope.PROJECT, "one folder"],
  [RuleScope.USER, "all folders"],
  [RuleScope.MANAGED, "set by the administrator"],
]);

/** The field of a tool's input that people mean when they speak of a call. */
export const MAIN_FIELDS: ReadonlyMap<string, readonly [field: string, label: string, example: string]> =
  new Map([
    ["Bash", ["command", "Command", "npm test"]],
    ["Edit", ["file_path", "File", "/path/of/a/file"]],
    ["Write", ["file_path", "File", "/path/of/a/file"]],
    ["Read", ["file_path", "File", "/path/of/a/file"]],
    ["WebFetch", ["url", "Address", "https://example.com/"]],
  ]);
