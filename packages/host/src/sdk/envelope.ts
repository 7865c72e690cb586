import type { UUID } from "node:crypto";

/** The fields that end every message of a session. */
export type Trailer = { uuid: UUID; session_id: string };

/** A system message of one subtype. */
export type SystemOf<Subtype extends string, Fields = unknown> = {
  type: "system";
  subtype: Subtype;
} & Fields &
  Trailer;
