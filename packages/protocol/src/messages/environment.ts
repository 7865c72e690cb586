import { about } from "../schema/about.ts";
import { record } from "../schema/collection.ts";
import { object, optional } from "../schema/object.ts";
import { literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** New values for environment variables of the agent. */
export const environmentMessage = about(
  "X",
  "Sent to hand over fresh tokens; an agent applies only the variables it allows.",
  object({
    type: literal("update_environment_variables"),
    variables: record(string),
    request_id: optional(string, "asks for a `control_response` with the names that were applied"),
  }),
);

/** New values for environment variables of the agent. */
export type EnvironmentMessage = Infer<typeof environmentMessage>;
