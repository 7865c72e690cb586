import { printRule } from "@agentwire/protocol/permission";
import type { ScopedRule } from "./engine.ts";

/**
 * The rules that forbid something, as flags for an agent that knows no hooks. It can't ask either, so what is to be asked is refused,
 * and it knows nothing of exceptions that a narrower scope allows.
 */
export function ruleFlags(rules: readonly ScopedRule[]): readonly string[] {
  const forbidding = rules.filter(({ behavior }) => behavior !== "allow").map(fromRoot);
  return forbidding.length === 0 ? [] : ["--disallowedTools", ...new Set(forbidding)];
}

/** A rule whose path is spelt from the root of the disk: an agent knows nothing of the folder that it belongs to. */
function fromRoot({ rule, root }: ScopedRule): string {
  const { toolName, content = "" } = rule;
  const isBelow = root !== undefined && /^\/(?!\/)/.test(content) && PATHS.has(toolName);
  return printRule(isBelow ? { toolName, content: `/${root}${content}` } : rule);
}

const PATHS: ReadonlySet<string> = new Set(["Read", "Edit", "Write"]);
