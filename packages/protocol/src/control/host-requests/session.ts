import { modelInfo } from "../../catalog/catalog.ts";
import { PERMISSION_MODES } from "../../permission/mode.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional, required } from "../../schema/object.ts";
import { boolean, jsonObject, literal, nullable, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { acknowledgement } from "../request-table.ts";

/** Requests that control the running session. */
export const sessionRequests = {
  interrupt: {
    request: about(
      "E",
      "Aborts the running turn; has no effect while idle, and is answered before the aborted turn's result.",
      object({
        subtype: literal("interrupt"),
        cancel_queued: optional(boolean, "true: also drops the queued prompts"),
      }),
    ),
    response: object({
      still_queued: defaulted(array(string), [], "uuids of prompts that will run next"),
      cancelled: optional(array(string)),
    }),
  },
  set_permission_mode: {
    request: about(
      "E",
      "Switches the permission mode of the session.",
      object({
        subtype: literal("set_permission_mode"),
        mode: oneOf(...PERMISSION_MODES, "manual"),
      }),
    ),
    response: object({ mode: optional(oneOf(...PERMISSION_MODES)) }),
  },
  set_model: {
    request: about(
      "E",
      "Switches the model, starting with the next step.",
      object({
        subtype: literal("set_model"),
        model: optional(nullable(string), "absent, null or `default`: the session's own model"),
      }),
    ),
    response: object({ model: optional(string) }),
  },
  set_max_thinking_tokens: {
    request: about(
      "R",
      "Changes how much the model may think, and how its thinking is shown.",
      object({
        subtype: literal("set_max_thinking_tokens"),
        max_thinking_tokens: optional(nullable(number), "null: the session's own limit; absent: unchanged"),
        thinking_display: optional(nullable(oneOf("summarized", "omitted", "highlights"))),
      }),
    ),
    response: acknowledgement,
  },
  cancel_async_message: {
    request: about(
      "X",
      "Removes one waiting prompt from the queue.",
      object({ subtype: literal("cancel_async_message"), message_uuid: string }),
    ),
    response: object({ cancelled: defaulted(boolean, false) }),
  },
  rename_session: {
    request: about(
      "X",
      "Sets the session's title.",
      object({
        subtype: literal("rename_session"),
        title: string,
        source: optional(oneOf("remote", "host")),
        session_id: optional(string, "refused if the process has switched to another session"),
      }),
    ),
    response: acknowledgement,
  },
  set_color: {
    request: about(
      "X",
      "Sets the accent color of the session.",
      object({ subtype: literal("set_color"), color: required(string, "`default` resets it") }),
    ),
    response: acknowledgement,
  },
  set_has_subscribers: {
    request: about(
      "X",
      "Reports whether anyone is watching, so that the agent may merge deltas while nobody is.",
      object({
        subtype: literal("set_has_subscribers"),
        has_subscribers: required(nullable(boolean), "null: unknown, treated as yes"),
      }),
    ),
    response: acknowledgement,
  },
  end_session: {
    request: about(
      "X",
      "Ends the session: the agent acknowledges and exits.",
      object({ subtype: literal("end_session"), reason: optional(string) }),
    ),
    response: acknowledgement,
  },
};

/** Requests of other dialects that the official wire lacks. */
export const sessionStatusRequests = {
  session_status: {
    request: about(
      "X",
      "Our addition: asks for the session's status, for dialects whose hosts can do so (miriad, jsonrpc, dart and acp).",
      object({
        subtype: literal("session_status"),
        messages: optional(boolean, "true: include the conversation so far"),
      }),
    ),
    response: object({
      running: defaulted(boolean, false),
      session_id: defaulted(string, ""),
      queued_messages: defaulted(number, 0),
      permission_modes: optional(array(string), "the modes it can be switched to; absent: all"),
      init: optional(jsonObject, "the `system/init` message that a turn would start with now"),
      messages: optional(array(jsonObject), "the conversation so far, as `user` and `assistant` messages"),
    }),
  },
};

/** Requests for facts about the agent and the models it offers. */
export const agentFactsRequests = {
  list_models: {
    request: about(
      "X",
      "Asks which models the session can switch to.",
      object({ subtype: literal("list_models") }),
    ),
    response: object({ models: defaulted(array(modelInfo), []) }),
  },
  get_binary_version: {
    request: about("X", "Asks for the agent's version.", object({ subtype: literal("get_binary_version") })),
    response: object({
      version: string,
      buildTime: optional(string),
      oldestDesktopSdk: optional(string, "from 2.1.327 on"),
    }),
  },
};
