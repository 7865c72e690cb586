import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { HookOutput } from "@agentwire/protocol/hooks";
import { asString } from "@agentwire/protocol/support";
import type { HookResult } from "./hooks.ts";

/** The result of one hook: its output, or a failure. */
export type HookAnswer =
  | { readonly output: HookOutput }
  | { readonly failure: string; readonly blocks: boolean };

const STRENGTH = ["allow", "ask", "defer", "deny"] as const;
type Decision = (typeof STRENGTH)[number];

/** Merges the answers of all hooks of an event: the strictest decision applies, everything else accumulates. */
export function mergeAnswers(answers: readonly HookAnswer[]): HookResult {
  let hasFailed = false;
  let decision: Decision | undefined;
  let reason: string | undefined;
  let updatedInput: JsonObject | undefined;
  let block: HookResult["block"];
  let stop: HookResult["stop"];
  let permission: JsonObject | undefined;
  let updatedToolOutput: unknown;
  let watchPaths: readonly string[] | undefined;
  const context: string[] = [];
  const messages: string[] = [];
  const specific: { [name: string]: unknown } = {};
  const decide = (wanted: Decision, why: string | undefined) => {
    if (decision !== undefined && STRENGTH.indexOf(wanted) <= STRENGTH.indexOf(decision)) return;
    decision = wanted;
    reason = why;
  };
  for (const answer of answers) {
    if ("failure" in answer) {
      hasFailed ||= !answer.blocks;
      if (!answer.blocks) continue;
      decide("deny", answer.failure);
      block ??= { reason: answer.failure };
      continue;
    }
    const { output } = answer;
    if (output.async) continue;
    if (output.systemMessage !== undefined) messages.push(output.systemMessage);
    if (output.continue === false) stop ??= { reason: output.stopReason ?? "" };
    if (output.decision === "block") {
      const why = output.reason ?? "A hook blocked this.";
      block ??= { reason: why };
      // The older form of a decision, still used by existing hooks.
      decide("deny", why);
    }
    if (output.decision === "approve") decide("allow", output.reason);
    const said: JsonObject = isJsonObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
    if (isDecision(said.permissionDecision))
      decide(said.permissionDecision, asString(said.permissionDecisionReason));
    if (isJsonObject(said.updatedInput) && said.permissionDecision !== "deny")
      updatedInput = said.updatedInput;
    if (isJsonObject(said.decision)) permission ??= said.decision;
    if (typeof said.additionalContext === "string" && said.additionalContext !== "")
      context.push(said.additionalContext);
    if (Array.isArray(said.watchPaths))
      watchPaths = [...(watchPaths ?? []), ...said.watchPaths.filter(isText)];
    if (said.updatedToolOutput !== undefined) updatedToolOutput = said.updatedToolOutput;
    for (const [name, value] of Object.entries(said)) if (!COMMON.has(name)) specific[name] = value;
  }
  return {
    ...(hasFailed && { hasFailed }),
    ...(decision && { decision, reason }),
    ...(updatedInput && { updatedInput }),
    ...(permission && { permission }),
    ...(block && { block }),
    ...(stop && { stop }),
    ...(updatedToolOutput !== undefined && { updatedToolOutput }),
    ...(watchPaths && { watchPaths }),
    context,
    messages,
    specific,
  };
}

const COMMON: ReadonlySet<string> = new Set([
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "decision",
  "additionalContext",
  "updatedToolOutput",
  "watchPaths",
]);

const isDecision = (value: unknown): value is Decision => STRENGTH.includes(value as Decision);
const isText = (value: unknown): value is string => typeof value === "string";
