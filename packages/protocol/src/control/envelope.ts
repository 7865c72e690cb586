import { isJsonObject, type JsonObject } from "../json.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional, required } from "../schema/object.ts";
import type { Reading } from "../schema/reading.ts";
import { jsonObject, literal, oneOf, string } from "../schema/scalar.ts";
import { about, type Infer, type Schema, UNREADABLE } from "../schema/schema.ts";
import { ERROR_CODES } from "./error-codes.ts";

const requestId = required(string, "`requestId` is also accepted");

/**
 * The payload is not read here. The envelope decodes whatever is wrong with the payload, so that the code
 * that reads the request can answer it instead of leaving the sender waiting.
 */
const openRequest = withRequestId(
  object({
    type: literal("control_request"),
    request_id: requestId,
    request: defaulted(jsonObject, {}, "the payload, with its `subtype`"),
  }),
);

/** A request from a host to an agent. */
export const hostControlRequest = about(
  "E",
  "Asks the agent for something; answered by exactly one `control_response` with the same id.",
  openRequest,
);

/** A request from an agent to its host. */
export const agentControlRequest = about(
  "E",
  "Asks the host for something: a permission, a hook, an MCP server in its process.",
  openRequest,
);

/** A control request in either direction. */
export type ControlRequest = Infer<typeof openRequest>;

const stillOpen = {
  pending_permission_requests: optional(
    array(openRequest),
    "after a second initialize: the questions still open",
  ),
  pending_user_dialog_requests: optional(array(openRequest)),
  pending_elicitation_requests: optional(array(openRequest)),
};

const success = object({
  subtype: literal("success"),
  request_id: requestId,
  response: optional(jsonObject, "may be absent if there is nothing to return"),
  ...stillOpen,
});

const failure = object({
  subtype: literal("error"),
  request_id: requestId,
  error: defaulted(string, "the peer gave no reason"),
  error_code: optional(oneOf(...Object.values(ERROR_CODES).flat())),
  model: optional(string, "for set_model: the model still in use"),
  ...stillOpen,
});

type Answer = Infer<typeof success> | Infer<typeof failure>;

/** Anything with an id settles a request: an answer that is not a plain success reads as an error. */
const answer: Schema<Answer> = withRequestId({
  doc: () => ({ type: `${success.doc().type} | ${failure.doc().type}` }),
  accepts: (value): value is Answer => success.accepts(value) || failure.accepts(value),
  read(value, reading) {
    if (!isJsonObject(value)) return UNREADABLE;
    if (value.subtype === "error") return failure.read(value, reading);
    const payload = value.response ?? undefined;
    if (value.subtype === "success" && (payload === undefined || isJsonObject(payload))) {
      return success.read(value, reading);
    }
    reading.repaired("coerced", value);
    const error = "the answer is neither a success with an object nor an error";
    return failure.read({ ...value, subtype: "error", error }, reading);
  },
});

/** The answer to a control request. */
export const controlResponse = about(
  "E",
  "Answers a control request, in either direction; answers without an open request are ignored.",
  object({ type: literal("control_response"), response: answer }),
);

/** The answer to a control request. */
export type ControlResponse = Infer<typeof controlResponse>;

/** Withdraws a control request. */
export const controlCancelRequest = about(
  "E",
  "Withdraws one of the sender's requests; it is not answered, and a later answer to the request is ignored.",
  withRequestId(object({ type: literal("control_cancel_request"), request_id: requestId })),
);

/** Withdraws a control request. */
export type ControlCancelRequest = Infer<typeof controlCancelRequest>;

function withRequestId<T>(schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    read: (value, reading) => schema.read(isJsonObject(value) ? renamed(value, reading) : value, reading),
  };
}

function renamed(value: JsonObject, reading: Reading): JsonObject {
  if (value.request_id !== undefined || value.requestId === undefined) return value;
  reading.repaired("coerced", "requestId");
  const { requestId: request_id, ...rest } = value;
  return { ...rest, request_id };
}
