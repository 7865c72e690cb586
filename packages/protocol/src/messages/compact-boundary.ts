import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object, optional } from "../schema/object.ts";
import { number, oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** The place in a conversation where a summary took over from what was said before. */
export const compactBoundaryMessage = about(
  "R",
  "Sent when a compaction is done.",
  system("compact_boundary", {
    compact_metadata: object({
      trigger: defaulted(oneOf("manual", "auto"), ""),
      pre_tokens: defaulted(number, 0),
      post_tokens: optional(number),
      duration_ms: optional(number),
      preserved_segment: optional(
        object({ head_uuid: string, anchor_uuid: string, tail_uuid: string }),
        "the messages that were kept, by their ends",
      ),
      preserved_messages: optional(
        object({ anchor_uuid: string, uuids: array(string) }),
        "the same one by one; counts where both are there",
      ),
    }),
  }),
);

/** The place in a conversation where a summary took over from what was said before. */
export type CompactBoundaryMessage = Infer<typeof compactBoundaryMessage>;
