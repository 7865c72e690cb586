import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, optional } from "../schema/object.ts";
import { oneOf, string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** Part of a session could not be saved. */
export const writesLostMessage = about(
  "X",
  "Sent at most once, at the end, when the disk had no room for the transcript or the configuration.",
  system("session_writes_lost", {
    error_code: oneOf("ENOSPC", "EDQUOT"),
    lost: defaulted(array(oneOf("transcript", "global_config")), []),
    transcript_session_ids: optional(array(string), "the sessions whose transcripts have a gap"),
  }),
);

/** Part of a session could not be saved. */
export type WritesLostMessage = Infer<typeof writesLostMessage>;

/** The agent goes away on purpose. */
export const shuttingDownMessage = about(
  "X",
  "Sent before an orderly end that somebody gave a reason for; its absence means nothing.",
  system("worker_shutting_down", { reason: defaulted(string, "") }),
);

/** The agent goes away on purpose. */
export type ShuttingDownMessage = Infer<typeof shuttingDownMessage>;
