import type { Task } from "../../tasks/tasks.ts";
import type { ToolOutcome } from "../tool.ts";

/** What a call comes to whose command runs in the background; `movedByUser` if it did not begin there. */
export function backgroundOutcome({ id, outputFile }: Task, movedByUser = false): ToolOutcome {
  const begun = movedByUser
    ? "The user moved the command to the background. It goes on"
    : "The command runs in the background";
  return {
    content:
      `${begun} with ID: ${id}. Its output goes to: ${outputFile}. ` +
      "You are told when it ends; until then read that file to see how far it is.",
    data: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: id,
      ...(movedByUser && { backgroundedByUser: true }),
    },
  };
}
