import { isJsonObject } from "@agentwire/protocol";
import { isMedia } from "../translate/media.ts";
import { estimateTokens } from "../translate/usage.ts";
import type { GatewayRequest } from "./read-body.ts";

/** What a picture or a page takes, whatever its bytes are. */
const MEDIA_CHARACTERS = 6000;

/** A guess at the tokens of a request: other providers have no way to ask. */
export function countTokens({ messages, system, tools }: GatewayRequest): { readonly input_tokens: number } {
  return { input_tokens: estimateTokens(lengthOf(messages) + lengthOf(system) + lengthOf(tools)) };
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + lengthOf(item), 0);
  if (!isJsonObject(value)) return value === undefined ? 0 : String(value).length;
  if (typeof value.type === "string" && isMedia({ ...value, type: value.type })) return MEDIA_CHARACTERS;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + lengthOf(item), 0);
}
