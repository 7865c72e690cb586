import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { objectAt, objectsAt, shown, stringAt } from "../spelling.ts";
import { byOptions, type ClientQuestion } from "./ask-user.ts";

/**
 * Asks the user of a client a question from an MCP server: in the protocol's own way if the client supports
 * it, else a page or a single choice as the options of a permission request. Undefined if neither works.
 */
export function elicit(
  request: JsonObject,
  sessionId: string,
  capabilities: JsonObject,
): ClientQuestion | undefined {
  const mode = stringAt(request, "mode") ?? "form";
  if (isJsonObject(objectAt(capabilities, "elicitation")[mode])) return elicitation(request, mode, sessionId);
  const choices = mode === "url" ? [{ name: "I have opened it", answer: ACCEPTED }] : choicesOf(request);
  if (choices.length === 0) return undefined;
  const message = shown(request.message);
  return byOptions({
    sessionId,
    toolCallId: stringAt(request, "elicitation_id") ?? randomUUID(),
    title: message,
    text: mode === "url" ? `${message}\n${shown(request.url)}` : message,
    choices,
    declined: { action: "decline" },
    cancelled: { action: "cancel" },
  });
}

const ACCEPTED = { action: "accept" };

function elicitation(request: JsonObject, mode: string, sessionId: string): ClientQuestion {
  const { message, url, elicitation_id, requested_schema } = request;
  const more =
    mode === "url"
      ? { url, elicitationId: elicitation_id ?? randomUUID() }
      : { requestedSchema: requested_schema ?? { type: "object" } };
  return {
    method: "elicitation/create",
    params: { sessionId, mode, message, ...more },
    answer: ({ action, content }) => ({
      action: action === "accept" || action === "cancel" ? action : "decline",
      ...(isJsonObject(content) && { content }),
    }),
  };
}

/** The answers to a form that is a single choice or has no fields; none for any other form. */
function choicesOf(request: JsonObject): readonly { readonly name: string; readonly answer: JsonObject }[] {
  const fields = Object.entries(objectAt(objectAt(request, "requested_schema"), "properties"));
  const [[name, field] = ["", undefined], ...more] = fields;
  if (fields.length === 0) return [{ name: "Accept", answer: { ...ACCEPTED, content: {} } }];
  if (more.length > 0 || !isJsonObject(field)) return [];
  return valuesOf(field).map(({ label, value }) => ({
    name: label,
    answer: { ...ACCEPTED, content: { [name]: value } },
  }));
}

function valuesOf(field: JsonObject): readonly { readonly label: string; readonly value: unknown }[] {
  if (field.type === "boolean")
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  if (field.type !== "string") return [];
  const titled = objectsAt(field, "oneOf").map((one) => ({
    label: shown(one.title ?? one.const),
    value: one.const,
  }));
  if (titled.length > 0) return titled;
  return Array.isArray(field.enum) ? field.enum.map((value) => ({ label: shown(value), value })) : [];
}
