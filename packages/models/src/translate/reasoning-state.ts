import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { parseJson } from "@agentwire/protocol/support";

/** Marks a signature as ours: it contains a provider's reasoning state instead of a signature of Anthropic. */
const MARK = "agentwire.";

/** The state that a provider expects back with its reasoning in the next request. */
export interface ReasoningState extends JsonObject {
  /** The provider that created it; others can't use it. */
  readonly from: string;
}

/** Encodes a state as the signature of a thinking block or the data of a redacted one. */
export function sealState(state: ReasoningState): string {
  return MARK + Buffer.from(JSON.stringify(state)).toString("base64url");
}

/** The state that this provider sent earlier with a thinking or redacted block; undefined for blocks of other providers. */
export function stateOf(block: JsonObject, from: string): ReasoningState | undefined {
  const sealed =
    block.type === "thinking" ? block.signature : block.type === "redacted_thinking" ? block.data : "";
  if (typeof sealed !== "string" || !sealed.startsWith(MARK)) return undefined;
  const value = parseJson(Buffer.from(sealed.slice(MARK.length), "base64url").toString());
  return isJsonObject(value) && value.from === from ? { ...value, from } : undefined;
}

/** Whether a thinking block comes from a provider other than Anthropic, whose API would reject it. */
export const isForeignThinking = (block: JsonObject): boolean =>
  (block.type === "thinking" && isSealed(block.signature)) ||
  (block.type === "redacted_thinking" && isSealed(block.data));

const isSealed = (value: unknown) => typeof value === "string" && value.startsWith(MARK);
