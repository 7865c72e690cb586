import { about } from "../schema/about.ts";
import { object } from "../schema/object.ts";
import { literal, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { trailer } from "./trailer.ts";

/** What became of a prompt. */
export const commandLifecycleMessage = about(
  "X",
  "Sent for prompts that carry a `uuid`: the reliable way to follow one through the queue.",
  object({
    type: literal("command_lifecycle"),
    command_uuid: string,
    state: oneOf("queued", "started", "completed", "cancelled", "discarded", "refused"),
    ...trailer,
  }),
);

/** What became of a prompt. */
export type CommandLifecycleMessage = Infer<typeof commandLifecycleMessage>;
