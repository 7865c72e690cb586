import type { EventBody } from "../../store/draft.ts";

/** Something that this contract has no words for, as it came. */
export function rawBody(type: string, subtype: string, value: unknown): EventBody {
  return { case: "rawMessage", value: { type, subtype, json: JSON.stringify(value) } };
}
