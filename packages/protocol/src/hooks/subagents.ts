import { about } from "../schema/about.ts";
import { defaulted } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import { addedContext, inputOf, outputOf } from "./shape.ts";
import { stopping } from "./stop.ts";

const subagent = { agent_id: string, agent_type: defaulted(string, "") };

/** Events in the life of a subagent. */
export const subagentHooks = {
  SubagentStart: {
    matcher: "agent_type",
    input: about("E", "When a subagent starts.", inputOf("SubagentStart", subagent)),
    output: outputOf("SubagentStart", addedContext),
  },
  SubagentStop: {
    matcher: "agent_type",
    input: about(
      "E",
      "When a subagent is about to end: a block makes it go on.",
      inputOf("SubagentStop", {
        ...subagent,
        agent_transcript_path: defaulted(string, ""),
        ...stopping,
      }),
    ),
    output: outputOf("SubagentStop", addedContext),
  },
};
