import { randomUUID } from "node:crypto";
import type { SDKMirrorErrorMessage } from "../sdk/session-messages.ts";
import type { MirrorFailure } from "./transcript-mirror.ts";

/** How a user of a query hears that a part of the session is missing in its store. */
export function mirrorError({ key, error }: MirrorFailure): SDKMirrorErrorMessage {
  return {
    type: "system",
    subtype: "mirror_error",
    error,
    key,
    uuid: randomUUID(),
    session_id: key.sessionId,
  };
}
