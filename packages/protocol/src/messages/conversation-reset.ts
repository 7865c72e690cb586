import { about } from "../schema/about.ts";
import { object, optional } from "../schema/object.ts";
import { literal, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

/** The conversation starts anew; from here on its session id is another one. */
export const conversationResetMessage = about(
  "R",
  "Sent when `/clear` or leaving plan mode has thrown the conversation away.",
  object({
    type: literal("conversation_reset"),
    new_conversation_id: string,
    trigger: optional(oneOf("clear", "plan_mode_exit", "fresh_session", "onboarding")),
    user_message_uuid: optional(string, "the prompt that was `/clear`"),
    timestamp: optional(string, "for display only"),
    ...trailer,
  }),
);

/** The conversation starts anew; from here on its session id is another one. */
export type ConversationResetMessage = Infer<typeof conversationResetMessage>;
