import type { JsonObject } from "@agentwire/protocol";
import type { PermissionMode } from "@agentwire/protocol/permission";
import { errorMessage } from "@agentwire/protocol/support";
import type { Answer } from "./ask.ts";
import type { AskEvaluation, Evaluation } from "./evaluation.ts";
import type { PermissionDecision } from "./gate.ts";

type Denial = Extract<PermissionDecision, { behavior: "deny" }>;

/** The decision of rules, mode and tool alone. */
export function settledDecision(
  evaluation: Exclude<Evaluation, AskEvaluation>,
  toolName: string,
  input: JsonObject,
): PermissionDecision {
  if (evaluation.behavior === "allow") return { ...evaluation, input };
  const { behavior: _, ...why } = evaluation;
  const message = `${toolName} may not run with this input: ${evaluation.reason}.`;
  return denial(message, { automatic: true, ...why });
}

/** The decision when a question would be needed but the mode forbids questions. */
export function unaskedDecision(toolName: string, mode: PermissionMode): PermissionDecision {
  const reason = `the mode ${mode} runs only calls that were allowed in advance`;
  const message = `${toolName} was not allowed to run: ${reason}, and no rule allows this call.`;
  return denial(message, { automatic: true, reasonType: "mode", reason, notRun: "permission-rule" });
}

/** The decision that follows from an answer. */
export function answeredDecision(
  answer: Answer,
  toolName: string,
  input: JsonObject,
  { reasonType, reason }: AskEvaluation,
): PermissionDecision {
  switch (answer.from) {
    case "nobody":
      return denial(
        `${toolName} needs permission, and no one is available to give it. The user can give it in advance with --allowedTools ${toolName}, with another --permission-mode or in the settings, or have the host asked with --permission-prompt-tool stdio.`,
        { automatic: true, notRun: "user-rejected", reasonType, reason },
      );
    case "abort":
      return denial("The call was cancelled before it was decided.", { source: "user_reject" });
    case "failure":
      return denial(`Asking whether ${toolName} may run failed: ${answer.reason}`, {
        notRun: "permission-rule",
        reasonType: "other",
        reason: answer.reason,
      });
    default:
      return resultVerdict(answer, input);
  }
}

/** The decision when the gate itself failed. */
export function failedDecision(toolName: string, error: unknown): PermissionDecision {
  const reason = errorMessage(error);
  const message = `${toolName} was not allowed to run: its permission could not be checked (${reason}).`;
  return denial(message, { automatic: true, reasonType: "other", reason, notRun: "permission-rule" });
}

function resultVerdict(
  { from, result }: Extract<Answer, { from: "host" | "hook" }>,
  input: JsonObject,
): PermissionDecision {
  const isHook = from === "hook";
  const told = isHook ? { reasonType: "hook", reason: "decided by a PermissionRequest hook" } : {};
  if (result.behavior === "deny") {
    const source = isHook ? "hook" : "user_reject";
    const interrupt = result.interrupt === true;
    return denial(result.message, { source, interrupt, notRun: "permission-rule", ...told });
  }
  const isPermanent = result.decisionClassification === "user_permanent";
  const source = isHook ? "hook" : isPermanent ? "user_permanent" : "user_temporary";
  return { behavior: "allow", input: result.updatedInput ?? input, source, ...told };
}

function denial(message: string, more: Partial<Denial>): Denial {
  return { behavior: "deny", message, interrupt: false, automatic: false, source: "config", ...more };
}
