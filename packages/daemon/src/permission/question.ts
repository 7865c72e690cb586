import { randomUUID } from "node:crypto";
import { Disposition, type Question, QuestionSchema, type UserQuestionSchema } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { AgentRequest } from "@agentwire/protocol/control";
import { printRule, ruleFromValue } from "@agentwire/protocol/permission";
import { asString } from "@agentwire/protocol/support";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Elicited, shownElicitation } from "./elicitation.ts";

/** An agent's question whether a tool may run. */
export type ToolQuestion = Extract<AgentRequest, { subtype: "can_use_tool" }>;

/** A call that an agent is about to make. */
export type PlannedCall = Pick<ToolQuestion, "tool_name" | "input" | "tool_use_id">;

/** The tool with which an agent asks its user. */
export const ASK_USER = "AskUserQuestion";

/** Whether a question is for the user, rather than for a permission. */
export const isForUser = ({ toolName, elicitation }: Question): boolean =>
  toolName === ASK_USER || elicitation !== undefined;

/** The disposition of a question, in words. */
export const dispositionName = (disposition: Disposition): string =>
  (Disposition[disposition] ?? "").toLowerCase().replaceAll("_", " ");

/** Creates a question for clients; `elicited` is set if it is not about a call. */
export function newQuestion(
  sessionId: string,
  seq: number,
  asked: ToolQuestion,
  askedMs: number,
  expiresAt: Timestamp | undefined,
  elicited?: Elicited,
): Question {
  return create(QuestionSchema, {
    id: randomUUID(),
    sessionId,
    seq: BigInt(seq),
    toolName: asked.tool_name,
    inputJson: JSON.stringify(asked.input),
    toolUseId: asked.tool_use_id,
    askedAt: timestampFromMs(askedMs),
    ...(expiresAt && { expiresAt }),
    disposition: Disposition.OPEN,
    reason: asked.decision_reason ?? asked.description ?? "",
    reasonType: asked.decision_reason_type ?? "",
    blockedPath: asked.blocked_path ?? "",
    suggestedRules: suggestedRules(asked),
    ...(elicited
      ? shownElicitation(elicited)
      : { userQuestions: asked.tool_name === ASK_USER ? userQuestions(asked.input) : [] }),
  });
}

function suggestedRules({ permission_suggestions: suggestions = [] }: ToolQuestion): string[] {
  return suggestions.flatMap((update) =>
    update.type === "addRules" && update.behavior === "allow"
      ? update.rules.map((rule) => printRule(ruleFromValue(rule)))
      : [],
  );
}

/** The questions to the user, in either spelling that agents use. */
function userQuestions({ questions }: JsonObject): MessageInitShape<typeof UserQuestionSchema>[] {
  if (!Array.isArray(questions)) return [];
  return questions.filter(isJsonObject).map((asked) => ({
    question: asString(asked.question) ?? "",
    header: asString(asked.header) ?? "",
    multiSelect: asked.multiSelect === true || asked.multi_select === true,
    options: Array.isArray(asked.options) ? asked.options.map(optionOf) : [],
  }));
}

function optionOf(option: unknown) {
  if (!isJsonObject(option)) return { label: asString(option) ?? "" };
  return {
    label: asString(option.label) ?? "",
    description: asString(option.description) ?? "",
    preview: asString(option.preview) ?? "",
  };
}
