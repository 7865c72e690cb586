import { array } from "../../schema/collection.ts";
import { defaulted, object, optional, required } from "../../schema/object.ts";
import { boolean, literal, nullable, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { acknowledgement } from "../request-table.ts";

const row = object({ label: string, value: defaulted(string, "") });

/** Requests about the conversation, made by the vendor's own hosts. */
export const conversationRequests = {
  generate_session_title: {
    request: about(
      "X",
      "Has a model generate a title for the session.",
      object({
        subtype: literal("generate_session_title"),
        description: required(string, "what the session is about, such as its first prompt"),
        persist: optional(boolean, "true: stored as the session's title unless a person has set one"),
      }),
    ),
    response: object({ title: defaulted(nullable(string), null) }),
  },
  export_conversation: {
    request: about(
      "X",
      "Asks for the conversation as readable text.",
      object({ subtype: literal("export_conversation") }),
    ),
    response: object({ text: defaulted(string, ""), default_filename: defaulted(string, "") }),
  },
  get_plan: {
    request: about("X", "Asks for the plan of plan mode.", object({ subtype: literal("get_plan") })),
    response: object({
      exists: defaulted(boolean, false),
      content: optional(string, "Markdown"),
      path: optional(string),
    }),
  },
  get_status: {
    request: about(
      "X",
      "Asks for the session's status as display text.",
      object({ subtype: literal("get_status") }),
    ),
    response: object({
      sections: defaulted(array(object({ title: string, rows: defaulted(array(row), []) })), []),
    }),
  },
  set_cwd: {
    request: about(
      "X",
      "Moves the session to another folder. The user must first accept a folder that is not trusted.",
      object({
        subtype: literal("set_cwd"),
        path: string,
        trust_accepted: optional(boolean),
        trusted_directory: optional(
          string,
          "the `directory` from the answer that asked for trust, unchanged",
        ),
      }),
    ),
    response: object({
      status: oneOf("ok", "needs_trust", "rejected"),
      cwd: optional(string, "for ok: the folder, with links resolved"),
      changed: optional(boolean),
      transcript_relocated: optional(boolean, "false: the session is still listed under its first folder"),
      directory: optional(string, "for needs_trust: the folder to show, with links resolved"),
      trust_root: optional(string),
      reason: optional(
        oneOf("not_found", "not_a_directory", "blocked_by_rule", "busy", "unsafe_path", "remote_origin"),
      ),
      message: optional(string),
    }),
  },
  message_rated: {
    request: about(
      "X",
      "Reports that a person liked or disliked a message.",
      object({
        subtype: literal("message_rated"),
        messageUuid: string,
        sentiment: oneOf("positive", "negative"),
        surface: oneOf("tool_use", "assistant_text"),
        cleared: boolean,
      }),
    ),
    response: acknowledgement,
  },
};

/** The request that asks the model something outside the conversation. */
export const sideQuestionRequests = {
  side_question: {
    request: about(
      "X",
      "Asks the model a side question that does not become part of the conversation; `control_request_progress` is sent first.",
      object({
        subtype: literal("side_question"),
        question: string,
        history: optional(
          array(object({ question: string, response: string })),
          "earlier side questions with their answers",
        ),
      }),
    ),
    response: object({
      response: defaulted(nullable(string), null, "null if there is no answer"),
      synthetic: defaulted(boolean, false, "true if the agent wrote it, not the model"),
    }),
  },
};
