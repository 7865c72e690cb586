import type { UUID } from "node:crypto";

/** What every message of a session ends with. */
export type Trailer = { uuid: UUID; session_id: string };

/** A system message of one subtype. */
export type SystemOf<Subtype extends string, Fields = unknown> = {
  type: "system";
  subtype: Subtype;
} & Fields &
  Trailer;
