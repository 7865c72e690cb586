import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** What the agent remembered from earlier sessions. */
export const memoryRecallMessage = about(
  "X",
  "Sent when memories were put before the model for this turn.",
  system("memory_recall", {
    mode: defaulted(oneOf("select", "synthesize"), "select", "whole memories, or one text made of many"),
    memories: array(
      object({
        path: string,
        scope: defaulted(oneOf("personal", "team", "organization"), "personal"),
        content: optional(string, "absent where the file at `path` holds it"),
      }),
    ),
  }),
);

/** What the agent remembered from earlier sessions. */
export type MemoryRecallMessage = Infer<typeof memoryRecallMessage>;
