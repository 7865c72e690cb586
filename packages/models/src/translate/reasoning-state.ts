import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "../json.ts";

/** Marks a signature as ours: what follows is the provider's state of its reasoning, and no signature of Anthropic's. */
const MARK = "agentwire.";

/** What a provider wants back with its reasoning in the next request. */
export interface ReasoningState extends JsonObject {
  /** The provider that it comes from; others can make nothing of it. */
  readonly from: string;
}

/** Writes a state as the signature of a thinking block, or as the data of a sealed one. */
export function sealState(state: ReasoningState): string {
  return MARK + Buffer.from(JSON.stringify(state)).toString("base64url");
}

/** The state that a provider gave us earlier with a thinking block or in a sealed one; undefined for what comes from others. */
export function stateOf(block: JsonObject, from: string): ReasoningState | undefined {
  const sealed =
    block.type === "thinking" ? block.signature : block.type === "redacted_thinking" ? block.data : "";
  if (typeof sealed !== "string" || !sealed.startsWith(MARK)) return undefined;
  const value = parseJson(Buffer.from(sealed.slice(MARK.length), "base64url").toString());
  return isJsonObject(value) && value.from === from ? { ...value, from } : undefined;
}

/** Whether a thinking block comes from a provider other than Anthropic, whose API would refuse it. */
export const isForeignThinking = (block: JsonObject): boolean =>
  (block.type === "thinking" && isSealed(block.signature)) ||
  (block.type === "redacted_thinking" && isSealed(block.data));

const isSealed = (value: unknown) => typeof value === "string" && value.startsWith(MARK);
