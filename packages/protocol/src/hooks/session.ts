import { array } from "../schema/collection.ts";
import { defaulted, optional } from "../schema/object.ts";
import { boolean, nullable, number, oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";

/** Events at the start and end of a session. */
export const sessionHooks = {
  SessionStart: {
    matcher: "source",
    input: about(
      "R",
      "When a session starts, is resumed, or starts again after a clear or a compaction.",
      inputOf("SessionStart", {
        source: oneOf("startup", "resume", "clear", "compact", "fork"),
        model: optional(string),
        session_title: optional(string),
        seconds_since_last_response: optional(number),
        context_tokens: optional(number),
        prompt_cache_likely_expired: optional(boolean),
        estimated_cache_write_usd: optional(number),
      }),
    ),
    output: outputOf("SessionStart", {
      ...addedContext,
      initialUserMessage: optional(string),
      sessionTitle: optional(string),
      watchPaths: optional(array(string)),
      reloadSkills: optional(boolean),
    }),
  },
  SessionEnd: {
    matcher: "reason",
    input: about(
      "R",
      "When a session ends.",
      inputOf("SessionEnd", {
        reason: oneOf("clear", "resume", "logout", "prompt_input_exit", "other"),
      }),
    ),
  },
  Setup: {
    matcher: "trigger",
    input: about(
      "X",
      "When the agent is started to prepare or maintain a project.",
      inputOf("Setup", { trigger: oneOf("init", "maintenance") }),
    ),
    output: outputOf("Setup", addedContext),
  },
};

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
      "After the conversation has been compacted.",
      inputOf("PostCompact", { trigger, compact_summary: defaulted(string, "") }),
    ),
  },
};
