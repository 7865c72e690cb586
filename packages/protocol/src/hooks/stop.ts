import { assistantError } from "../messages/assistant.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { boolean, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

const backgroundTask = object({
  id: string,
  type: oneOf("shell", "subagent", "monitor", "workflow"),
  status: defaulted(string, ""),
  description: defaulted(string, ""),
  command: optional(string),
  agent_type: optional(string),
  server: optional(string),
  tool: optional(string),
  name: optional(string),
});

const sessionCron = object({
  id: string,
  schedule: defaulted(string, ""),
  recurring: defaulted(boolean, false),
  prompt: defaulted(string, ""),
});

const lastMessage = { last_assistant_message: optional(string) };

/** The input of a hook when the session or a subagent is about to stop. */
export const stopping = {
  stop_hook_active: defaulted(boolean, false, "true once a hook has made it continue"),
  ...lastMessage,
  background_tasks: optional(array(backgroundTask), "work that will wake the session"),
  session_crons: optional(array(sessionCron)),
};

/** Events at the end of a turn. */
export const stopHooks = {
  Stop: {
    input: about(
      "E",
      "When the turn is about to end: a block makes the model continue.",
      inputOf("Stop", stopping),
    ),
    output: outputOf("Stop", addedContext),
  },
  StopFailure: {
    matcher: "error",
    input: about(
      "X",
      "When the turn ends because the model can't be reached.",
      inputOf("StopFailure", {
        error: assistantError,
        error_details: optional(string),
        ...lastMessage,
      }),
    ),
  },
};

const subagent = { agent_id: string, agent_type: defaulted(string, "") };

/** Events in the life of a subagent. */
export const subagentHooks = {
  SubagentStart: {
    matcher: "agent_type",
    input: about("E", "When a subagent starts.", inputOf("SubagentStart", subagent)),
    output: outputOf("SubagentStart", addedContext),
  },
  SubagentStop: {
    matcher: "agent_type",
    input: about(
      "E",
      "When a subagent is about to end: a block makes it continue.",
      inputOf("SubagentStop", {
        ...subagent,
        agent_transcript_path: defaulted(string, ""),
        ...stopping,
      }),
    ),
    output: outputOf("SubagentStop", addedContext),
  },
};
