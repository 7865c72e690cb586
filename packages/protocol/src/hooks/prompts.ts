import { about } from "../schema/about.ts";
import { defaulted, optional } from "../schema/object.ts";
import { boolean, oneOf, string } from "../schema/scalar.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

const suppression = { suppressOriginalPrompt: optional(boolean, "a block does not repeat the prompt") };

/** Events around prompts. */
export const promptHooks = {
  UserPromptSubmit: {
    input: about(
      "E",
      "When a prompt comes in, before the turn starts: the hook may block it or add to it.",
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
      "When a slash command or an MCP prompt has become the text of a prompt.",
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
