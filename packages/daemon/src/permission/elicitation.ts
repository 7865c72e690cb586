import type { ElicitationSchema, UserQuestionSchema } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { AgentRequest } from "@agentwire/protocol/control";
import type { PermissionResult } from "@agentwire/protocol/permission";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { answersOf, checkedContent, contentFromAnswers, FormError, fieldsOf } from "./form.ts";

/** What an MCP server, or an agent, wants of the user. */
export type Elicited = Extract<AgentRequest, { subtype: "elicitation" }>;

/** How it is answered. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

/** The name under which rules and people find elicitations: that of the hook around them. */
export const ELICITATION = "Elicitation";

/** Nobody can answer it. */
export const DECLINED: ElicitationAnswer = { action: "decline" };

/** How long one may be: a form is read by people. */
const MAX_BYTES = 65_536;

/** Why an elicitation can't be shown to people, of which so many bytes can be stored; undefined if it can. */
export function problemOf(asked: Elicited, maxBytes: number): string | undefined {
  const most = Math.min(MAX_BYTES, maxBytes);
  if (Buffer.byteLength(JSON.stringify(asked)) > most) return `it is longer than ${most} bytes`;
  if (asked.mode === "url") {
    // Whoever opens it does so in a browser, with everything that is signed in there.
    const isPage = URL.canParse(asked.url ?? "") && /^https?:$/.test(new URL(asked.url ?? "").protocol);
    return isPage ? undefined : "its address is not that of a web page";
  }
  try {
    fieldsOf(asked.requested_schema ?? {}, asked.property_order);
    return undefined;
  } catch (error) {
    if (error instanceof FormError) return error.message;
    throw error;
  }
}

/** What clients show of an elicitation: who asks, and a question for each field; a page, or a form without fields, is one question. */
export function shownElicitation(asked: Elicited): {
  readonly elicitation: MessageInitShape<typeof ElicitationSchema>;
  readonly userQuestions: MessageInitShape<typeof UserQuestionSchema>[];
} {
  const { mcp_server_name: server, message } = asked;
  const url = asked.mode === "url" ? (asked.url ?? "") : "";
  const fields = url === "" ? fieldsOf(asked.requested_schema ?? {}, asked.property_order) : [];
  const whole = {
    header: server,
    question: url === "" ? message : `${message} ${url}`,
    options: [{ label: url === "" ? "Accept" : OPENED }],
    onlyOptions: true,
  };
  return {
    elicitation: { server, message, url },
    userQuestions: fields.length > 0 ? fields.map((field) => field.asked) : [whole],
  };
}

const OPENED = "I have opened it";

/** What an answer to an elicitation means; throws a `FormError` for one that its schema does not take. */
export function elicitationAnswer(
  inputJson: string,
  answers: Readonly<Record<string, string>>,
  content: JsonObject | undefined,
): { readonly content: JsonObject; readonly answers: Record<string, string> } {
  const asked = JSON.parse(inputJson) as Omit<Elicited, "subtype">;
  if (asked.mode === "url") return { content: {}, answers: { ...answers } };
  const schema = isJsonObject(asked.requested_schema) ? asked.requested_schema : {};
  const fields = fieldsOf(schema, asked.property_order);
  const given = content ? checkedContent(fields, content) : contentFromAnswers(fields, answers);
  return { content: given, answers: fields.length === 0 ? { ...answers } : answersOf(fields, given) };
}

/** The answer of the ledger in the words of an elicitation. */
export function elicitationResult(asked: Elicited, answer: PermissionResult): ElicitationAnswer {
  if (answer.behavior === "deny") return { action: answer.interrupt ? "cancel" : "decline" };
  return { action: "accept", ...(asked.mode !== "url" && { content: answer.updatedInput ?? {} }) };
}
