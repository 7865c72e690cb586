import type { JsonObject } from "@agentwire/protocol";
import { at, listAt } from "../json-path.ts";
import { type Context, sessionOf } from "./context.ts";
import type { Fields, UnplacedItem } from "./item.ts";
import { collapseRuns, isBeginning, withoutCut } from "./texts.ts";

/** Fields that a result must have, whatever their values. */
const PRESENT = ["usage", "modelUsage", "total_cost_usd", "uuid", "session_id", "result"];

/** Reads a result, which also ends the turn. */
export function readResult(line: JsonObject, context: Context): readonly UnplacedItem[] {
  const { hard, soft } = readText(line, context);
  const draft: UnplacedItem = {
    kind: "result",
    hard: {
      subtype: line.subtype,
      is_error: line.is_error,
      num_turns: line.num_turns,
      stop_reason: line.stop_reason ?? null,
      terminal_reason: line.terminal_reason ?? null,
      has_errors: listAt(line, "errors").length > 0,
      structured_output: line.structured_output ?? null,
      api_error_status: line.api_error_status ?? null,
      denials: listAt(line, "permission_denials").map((denial) => at(denial, "tool_name")),
      ...sessionOf(line, context),
      ...Object.fromEntries(PRESENT.map((key) => [`has_${key}`, Object.hasOwn(line, key)])),
      ...hard,
    },
    soft,
    place: { of: "end" },
  };
  context.results++;
  context.lastText = undefined;
  return [draft];
}

/** Whether a result reports that its turn was aborted. */
export function isAborted(line: JsonObject): boolean {
  return typeof line.terminal_reason === "string" && line.terminal_reason.startsWith("aborted");
}

/** Text by the agent itself may differ, but the result repeats it. */
function readText(line: JsonObject, { lastText }: Context): { readonly hard: Fields; readonly soft: Fields } {
  if (typeof line.result !== "string") return { hard: {}, soft: {} };
  const result = collapseRuns(line.result);
  if (!lastText?.synthetic) return { hard: { result }, soft: {} };
  return { hard: { result_is_last_text: repeats(line.result, lastText.text) }, soft: { result } };
}

function repeats(result: string, text: string): boolean {
  const [one, other] = [withoutCut(result).trim(), withoutCut(text).trim()];
  return one === other || isBeginning(one, other);
}
