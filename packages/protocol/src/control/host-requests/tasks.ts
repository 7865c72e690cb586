import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, literal, number, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { acknowledgement } from "../request-table.ts";

/** Requests about background tasks. */
export const taskRequests = {
  stop_task: {
    request: about(
      "R",
      "Stops a background task; its `task_notification` follows.",
      object({ subtype: literal("stop_task"), task_id: string }),
    ),
    response: acknowledgement,
  },
  background_tasks: {
    request: about(
      "X",
      "Moves running tools to the background, so that the turn continues.",
      object({
        subtype: literal("background_tasks"),
        tool_use_id: optional(string, "absent: all of them"),
      }),
    ),
    response: object({ backgrounded: optional(boolean) }),
  },
  get_task_output: {
    request: about(
      "X",
      "Reads the end of a background command's output.",
      object({ subtype: literal("get_task_output"), task_id: string }),
    ),
    response: object({
      output: defaulted(string, ""),
      total_bytes: defaulted(number, 0),
      truncated: defaulted(boolean, false),
    }),
  },
};
