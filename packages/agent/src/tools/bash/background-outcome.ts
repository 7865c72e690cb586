import type { Task } from "../../tasks/tasks.ts";
import type { ToolOutcome } from "../tool.ts";

/** What a call comes to whose command runs in the background; `movedByUser` if it did not begin there. */
export function backgroundOutcome({ id, outputFile }: Task, movedByUser = false): ToolOutcome {
  const begun = movedByUser
    ? "The user moved the command to the background. Command running in background"
    : "Command running in background";
  return {
    content:
      `${begun} with ID: ${id}. Output is being written to: ${outputFile}. ` +
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

/** What a call comes to whose command has used up its time and goes on in the background. */
export function lateOutcome({ id, outputFile }: Task, printed: string, timeoutMs: number): ToolOutcome {
  const note =
    `Command running in background with ID: ${id}. Output is being written to: ${outputFile}. ` +
    `It is not done after its timeout of ${timeoutMs / 1000} s, so it goes on; you are told when it ends. Don't start it a ` +
    "second time, and stop it with TaskStop if it is not needed. After half an hour it is stopped.";
  return {
    content: printed === "" ? note : `${printed}\n${note}`,
    data: {
      stdout: printed,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: id,
      timedOutAfterMs: timeoutMs,
    },
  };
}
