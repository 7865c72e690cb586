import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import type { ToolResultBlock } from "@agentwire/protocol/messages";
import type { ToolOutcome } from "../tools/tool.ts";
import type { Conversation } from "./conversation.ts";
import { validBlocks } from "./valid-blocks.ts";

/** How it was decided whether a call runs, for `tool_result_meta`; empty for a call without a decision. */
export interface CallMeta {
  readonly decision?: {
    readonly decision: "accept" | "reject";
    readonly source?: string;
    readonly reason_type?: string;
  };
  /** Why it did not run. */
  readonly notRun?: "permission-rule" | "user-rejected" | undefined;
}

/** The result of a call, as reported. */
export interface ReportedResult {
  readonly block: ToolResultBlock;
  /** The transcript line that stores it. */
  readonly uuid: string;
}

/** Reports the outcome of a call to host and transcript, and returns the result for the model. */
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
          ...(outcome.remedy && { remedy: outcome.remedy }),
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

/**
 * Images and documents up to this length are repeated in a result's data; twice that and the rest of a line stay below 1 MiB, the
 * maximum that some hosts read.
 */
const MAX_REPEATED_CHARS = 480_000;

/** The data of a result, with long images and documents that its content already has replaced by empty texts. */
function withoutRepeats(data: unknown, content: ToolOutcome["content"]): unknown {
  const inlined = typeof content === "string" ? [] : content.flatMap(inlinedIn);
  const length = inlined.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_REPEATED_CHARS ? without(data, inlined) : data;
}

function inlinedIn(block: object): readonly string[] {
  const source = "source" in block ? block.source : undefined;
  return isJsonObject(source) && typeof source.data === "string" && source.data !== "" ? [source.data] : [];
}

function without(value: unknown, texts: readonly string[]): unknown {
  // A command's data contains its image as a URL.
  if (typeof value === "string") return texts.some((text) => value.endsWith(text)) ? "" : value;
  if (Array.isArray(value)) return value.map((item) => without(item, texts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, without(part, texts)]));
}
