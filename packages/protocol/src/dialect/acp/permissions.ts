import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { readPermissionResult } from "../../permission/result.ts";
import { objectAt, objectsAt, stringAt } from "../spelling.ts";
import { namedCall, pathsOf } from "./tool-calls.ts";

const ALLOW = "allow";
const ALWAYS = "allow_always";
const REJECT = "reject";

/** The answers that an editor offers to a canonical question. */
export function optionsFor(request: JsonObject): PermissionOption[] {
  const mayBeAlways =
    objectsAt(request, "permission_suggestions").length > 0 && request.suppress_always_allow_rule !== true;
  return [
    { optionId: ALLOW, name: "Allow", kind: "allow_once" },
    ...(mayBeAlways ? [{ optionId: ALWAYS, name: alwaysName(request), kind: "allow_always" } as const] : []),
    { optionId: REJECT, name: "Reject", kind: "reject_once" },
  ];
}

function alwaysName(request: JsonObject): string {
  const rules = objectsAt(request, "permission_suggestions")
    .flatMap((update) => objectsAt(update, "rules"))
    .map((rule) => {
      const content = stringAt(rule, "ruleContent");
      return `${stringAt(rule, "toolName") ?? ""}${content === undefined ? "" : `(${content})`}`;
    });
  return rules.length === 0 ? "Always allow" : `Always allow ${rules.join(", ")}`;
}

/** The canonical answer to a question, from the outcome that an editor sent. */
export function answerFrom(request: JsonObject, response: JsonObject): JsonObject {
  const outcome = objectAt(response, "outcome");
  const { optionId } = outcome;
  const { answer } = objectAt(objectAt(response, "_meta"), "agentwire");
  // A host of ours sends the full answer; the chosen option still decides.
  const isAllowed = outcome.outcome === "selected" && (optionId === ALLOW || optionId === ALWAYS);
  if (isJsonObject(answer) && answer.behavior === (isAllowed ? "allow" : "deny")) return answer;
  if (outcome.outcome === "selected" && optionId === ALLOW) return { behavior: "allow" };
  if (outcome.outcome === "selected" && optionId === ALWAYS)
    return { behavior: "allow", updatedPermissions: request.permission_suggestions };
  if (outcome.outcome === "selected") return { behavior: "deny", message: "The user rejected this call." };
  return { behavior: "deny", message: "The user cancelled the turn.", interrupt: true };
}

/** The canonical questions for one question of an agent: one per file that the call affects. */
export function questionsOf(params: JsonObject, known: JsonObject): readonly JsonObject[] {
  const update = { ...known, ...withoutNulls(objectAt(params, "toolCall")) };
  const { name, input } = namedCall(update);
  const title = stringAt(update, "title");
  const question = {
    subtype: "can_use_tool",
    tool_name: name,
    input,
    tool_use_id: stringAt(update, "toolCallId") ?? "",
    ...(title !== undefined && { title }),
    ...(optionOf(params, "allow_always") && { permission_suggestions: [alwaysAllow(name)] }),
  };
  if (!("file_path" in input)) return [question];
  const paths = pathsOf(update, isJsonObject(update.rawInput) ? update.rawInput : {});
  return paths.map((file_path) => ({ ...question, input: { ...input, file_path } }));
}

const alwaysAllow = (toolName: string) => ({
  type: "addRules",
  rules: [{ toolName }],
  behavior: "allow",
  destination: "session",
});

/** The outcome that answers an agent's question; anything but an allow denies. */
export function outcomeFor(params: JsonObject, answers: readonly unknown[]): RequestPermissionOutcome {
  const results = answers.map((answer) => readPermissionResult(answer));
  const denied = results.find(({ behavior }) => behavior === "deny");
  const isAllowed = results.length > 0 && denied === undefined;
  const isAlways = results.some(
    (result) => result.behavior === "allow" && (result.updatedPermissions ?? []).length > 0,
  );
  const option = isAllowed
    ? ((isAlways ? optionOf(params, "allow_always") : undefined) ?? optionOf(params, "allow_once"))
    : (optionOf(params, "reject_once") ?? optionOf(params, "reject_always"));
  // If the agent offers no option to reject, the protocol's own way to refuse ends the turn. The same holds
  // if the only option to allow is permanent.
  const ends = denied?.behavior === "deny" && denied.interrupt === true;
  return option === undefined || ends ? { outcome: "cancelled" } : { outcome: "selected", optionId: option };
}

function optionOf(params: JsonObject, kind: string): string | undefined {
  const option = objectsAt(params, "options").find((one) => one.kind === kind);
  return option && stringAt(option, "optionId");
}

/** Drops null fields of an update: they must not hide earlier values. */
export const withoutNulls = (update: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined));
