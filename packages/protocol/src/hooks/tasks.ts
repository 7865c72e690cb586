import { defaulted, optional } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { inputOf } from "./shape.ts";

const task = {
  task_id: string,
  task_subject: defaulted(string, ""),
  task_description: optional(string),
  teammate_name: optional(string),
  team_name: optional(string),
};

/** Events of the task list and of teammates. */
export const taskHooks = {
  TaskCreated: {
    input: about("X", "When a task is added to the list.", inputOf("TaskCreated", task)),
  },
  TaskCompleted: {
    input: about("X", "When a task is marked as done.", inputOf("TaskCompleted", task)),
  },
  TeammateIdle: {
    input: about(
      "X",
      "When a teammate is about to run out of work.",
      inputOf("TeammateIdle", { teammate_name: string, team_name: defaulted(string, "") }),
    ),
  },
};
