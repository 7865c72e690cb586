import { defaulted, optional } from "../schema/object.ts";
import { boolean, number, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

const suppression = { suppressOriginalPrompt: optional(boolean, "true: a block does not repeat the prompt") };

/** Events around prompts. */
export const promptHooks = {
  UserPromptSubmit: {
    input: about(
      "E",
      "When a prompt arrives, before the turn starts: the hook may block it or add to it.",
      inputOf("UserPromptSubmit", {
        prompt: string,
        source: optional(oneOf("user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event")),
        session_title: optional(string),
      }),
    ),
    output: outputOf("UserPromptSubmit", {
      ...addedContext,
      sessionTitle: optional(string),
      ...suppression,
    }),
  },
  UserPromptExpansion: {
    matcher: "command_name",
    input: about(
      "X",
      "When a slash command or an MCP prompt has been expanded into the text of a prompt.",
      inputOf("UserPromptExpansion", {
        expansion_type: oneOf("slash_command", "mcp_prompt"),
        command_name: string,
        command_args: defaulted(string, ""),
        command_source: optional(string),
        prompt: string,
      }),
    ),
    output: outputOf("UserPromptExpansion", { ...addedContext, ...suppression }),
  },
};

/** Events about what is shown to a person. */
export const displayHooks = {
  Notification: {
    matcher: "notification_type",
    input: about(
      "E",
      "When the agent needs the user's attention.",
      inputOf("Notification", {
        message: string,
        title: optional(string),
        notification_type: defaulted(string, ""),
      }),
    ),
    output: outputOf("Notification", addedContext),
  },
  MessageDisplay: {
    input: about(
      "X",
      "For each delta of an assistant message before it is shown: the hook can change only the displayed text.",
      inputOf("MessageDisplay", {
        turn_id: defaulted(string, ""),
        message_id: defaulted(string, ""),
        index: defaulted(number, 0),
        final: defaulted(boolean, false),
        delta: string,
      }),
    ),
    output: outputOf("MessageDisplay", { displayContent: optional(string) }),
  },
};
