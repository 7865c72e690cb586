import type { ElicitationSchema, UserQuestionSchema } from "@agentwire/api";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { AgentRequest } from "@agentwire/protocol/control";
import type { PermissionResult } from "@agentwire/protocol/permission";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { answersOf, checkedContent, contentFromAnswers, FormError, fieldsOf } from "./form.ts";

/** A request of an MCP server, or of an agent, to the user. */
export type Elicited = Extract<AgentRequest, { subtype: "elicitation" }>;

/** The answer to an elicitation. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

/** The tool name of elicitations for rules and clients, which is that of their hook. */
export const ELICITATION = "Elicitation";

/** The answer if nobody can be asked. */
export const DECLINED: ElicitationAnswer = { action: "decline" };

/** The maximum size of an elicitation. */
const MAX_BYTES = 65_536;

/** Why an elicitation can't be shown, given the storage limit; undefined if it can. */
export function problemOf(asked: Elicited, maxBytes: number): string | undefined {
  const max = Math.min(MAX_BYTES, maxBytes);
  if (Buffer.byteLength(JSON.stringify(asked)) > max) return `it is longer than ${max} bytes`;
  if (asked.mode === "url") {
    // The user opens it in a browser with all of their sign-ins, so only web pages are allowed.
    const isPage = URL.canParse(asked.url ?? "") && /^https?:$/.test(new URL(asked.url ?? "").protocol);
    return isPage ? undefined : "its URL is not that of a web page";
  }
  try {
    fieldsOf(asked.requested_schema ?? {}, asked.property_order);
    return undefined;
  } catch (error) {
    if (error instanceof FormError) return error.message;
    throw error;
  }
}

/** Converts an elicitation for clients: the server, and a question for each field; a page or a form without fields is one question. */
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

/** Converts an answer to the content of an elicitation; throws a `FormError` if its schema does not accept it. */
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

/** Converts an answer of the ledger to that of an elicitation. */
export function elicitationResult(asked: Elicited, answer: PermissionResult): ElicitationAnswer {
  if (answer.behavior === "deny") return { action: answer.interrupt ? "cancel" : "decline" };
  return { action: "accept", ...(asked.mode !== "url" && { content: answer.updatedInput ?? {} }) };
}
