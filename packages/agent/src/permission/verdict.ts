import type { JsonObject } from "@agentwire/protocol";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { Answer } from "./ask.ts";
import type { PermissionVerdict } from "./gate.ts";
import type { AskOpinion, Opinion } from "./opinion.ts";

type Denial = Extract<PermissionVerdict, { behavior: "deny" }>;

/** The verdict of rules, mode and tool alone. */
export function settledVerdict(
  opinion: Exclude<Opinion, AskOpinion>,
  toolName: string,
  input: JsonObject,
): PermissionVerdict {
  if (opinion.behavior === "allow") return { ...opinion, input };
  const { behavior: _, ...why } = opinion;
  const message = `${toolName} may not be used like this: ${opinion.reason}.`;
  return denial(message, { automatic: true, ...why });
}

/** The verdict where somebody would have to be asked and the mode forbids to. */
export function unaskedVerdict(toolName: string, mode: PermissionMode): PermissionVerdict {
  const reason = `the mode ${mode} runs only what is allowed beforehand`;
  const message = `${toolName} was not allowed to run: ${reason}, and no rule allows this call.`;
  return denial(message, { automatic: true, reasonType: "mode", reason, notRun: "permission-rule" });
}

/** The verdict that an answer amounts to. */
export function answeredVerdict(
  answer: Answer,
  toolName: string,
  input: JsonObject,
  { reasonType, reason }: AskOpinion,
): PermissionVerdict {
  switch (answer.from) {
    case "nobody":
      return denial(
        `${toolName} needs a permission, and no one is available to give it. The user can give it beforehand with --allowedTools ${toolName}, with another --permission-mode or in the settings, or let the host be asked with --permission-prompt-tool stdio.`,
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

/** The verdict where the gate itself went wrong. */
export function brokenVerdict(toolName: string, error: unknown): PermissionVerdict {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `${toolName} was not allowed to run: its permission could not be checked (${reason}).`;
  return denial(message, { automatic: true, reasonType: "other", reason, notRun: "permission-rule" });
}

function resultVerdict(
  { from, result }: Extract<Answer, { from: "host" | "hook" }>,
  input: JsonObject,
): PermissionVerdict {
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
