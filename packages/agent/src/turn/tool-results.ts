import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentwire/protocol";
import type { ToolResultBlock } from "@agentwire/protocol/messages";
import type { ToolOutcome } from "../tools/tool.ts";
import type { Conversation } from "./conversation.ts";
import { withoutRepeats } from "./repeated-data.ts";
import { validBlocks } from "./valid-blocks.ts";

/** How a call came to run or not, for `tool_result_meta`; a call without a decision has none. */
export interface CallMeta {
  readonly decision?: {
    readonly decision: "accept" | "reject";
    readonly source?: string;
    readonly reason_type?: string;
  };
  /** Why it did not run. */
  readonly notRun?: "permission-rule" | "user-rejected" | undefined;
}

/** The result of a call, as it was told. */
export interface ReportedResult {
  readonly block: ToolResultBlock;
  /** The line of the transcript that it is stored as. */
  readonly uuid: string;
}

/** Tells host and transcript how a call ended, and returns what the model is to get. */
export function reportResult(
  conversation: Conversation,
  callId: string,
  outcome: ToolOutcome,
  meta: CallMeta | undefined,
): ReportedResult {
  const block: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: callId,
    content: typeof outcome.content === "string" ? outcome.content : [...validBlocks(outcome.content).blocks],
    ...(outcome.isError && { is_error: true }),
  };
  const uuid = randomUUID();
  const message = { role: "user" as const, content: [block] };
  const whole = conversation.services.expectations().fullResults ? outcome.whole?.() : undefined;
  const data = outcome.isError ? errorData(outcome) : withoutRepeats(outcome.data, outcome.content);
  conversation.tell({
    type: "user",
    message: whole === undefined ? message : { role: "user", content: [{ ...block, content: whole }] },
    parent_tool_use_id: conversation.parentToolUseId,
    uuid,
    timestamp: new Date().toISOString(),
    ...(data !== undefined && { tool_use_result: data }),
    ...(meta && {
      tool_result_meta: [
        {
          id: callId,
          ...(meta.notRun && { non_execution_kind: meta.notRun }),
          ...(meta.decision && { permission_decision: meta.decision }),
        },
      ],
    }),
  });
  const extra: JsonObject = data === undefined ? {} : { toolUseResult: data };
  conversation.record({ uuid, type: "user", message, extra });
  return { block, uuid };
}

function errorData(outcome: ToolOutcome): unknown {
  if (outcome.data !== undefined) return outcome.data;
  return typeof outcome.content === "string" ? `Error: ${outcome.content}` : undefined;
}
