import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { object } from "../schema/object.ts";
import { jsonObject, literal, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";

/** Transcript entries for a host that stores them elsewhere. */
export const transcriptMirrorMessage = about(
  "R",
  "Sent after each write to a transcript, when the host asked for a mirror; not for the host's user.",
  object({ type: literal("transcript_mirror"), filePath: string, entries: array(jsonObject) }),
);

/** Transcript entries for a host that stores them elsewhere. */
export type TranscriptMirrorMessage = Infer<typeof transcriptMirrorMessage>;
