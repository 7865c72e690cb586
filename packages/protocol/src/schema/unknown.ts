import type { JsonObject } from "../json.ts";

/**
 * A message, block, request or event of a kind that this version does not know: kept in full, and written
 * again exactly as it arrived (JSON.stringify calls `toJSON`), wherever in a message it is.
 */
export class Unknown {
  /** The value is "unknown" under every tag of the wire, so that a `switch` on any of them narrows to it. */
  readonly type = "unknown";
  readonly subtype = "unknown";
  readonly hook_event_name = "unknown";
  readonly hookEventName = "unknown";
  /** The tag on the wire; `system/foo` for an unknown system subtype. */
  readonly raw_type: string;
  readonly payload: JsonObject;

  constructor(rawType: string, payload: JsonObject) {
    this.raw_type = rawType;
    this.payload = payload;
  }

  toJSON(): JsonObject {
    return this.payload;
  }
}
