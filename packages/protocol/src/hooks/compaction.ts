import { about } from "../schema/about.ts";
import { defaulted } from "../schema/object.ts";
import { nullable, oneOf, string } from "../schema/scalar.ts";
import { inputOf } from "./shape.ts";

const trigger = oneOf("manual", "auto");

/** Events around a compaction. */
export const compactionHooks = {
  PreCompact: {
    matcher: "trigger",
    input: about(
      "E",
      "Before the conversation is compacted.",
      inputOf("PreCompact", { trigger, custom_instructions: defaulted(nullable(string), null) }),
    ),
  },
  PostCompact: {
    matcher: "trigger",
    input: about(
      "X",
      "After the conversation was compacted.",
      inputOf("PostCompact", { trigger, compact_summary: defaulted(string, "") }),
    ),
  },
};
