import type { EventBody } from "../../store/draft.ts";

/** A message that this contract has no event for, unchanged. */
export function rawBody(type: string, subtype: string, value: unknown): EventBody {
  return { case: "rawMessage", value: { type, subtype, json: JSON.stringify(value) } };
}
