import { about } from "../schema/about.ts";
import { array } from "../schema/collection.ts";
import { defaulted, object } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import type { Infer } from "../schema/schema.ts";
import { system } from "./system-shape.ts";

/** Files that were stored outside the machine of the session. */
export const filesPersistedMessage = about(
  "X",
  "Sent when files of the session have been uploaded, with those that could not be.",
  system("files_persisted", {
    files: defaulted(array(object({ filename: string, file_id: string })), []),
    failed: defaulted(array(object({ filename: string, error: defaulted(string, "") })), []),
    processed_at: defaulted(string, ""),
  }),
);

/** Files that were stored outside the machine of the session. */
export type FilesPersistedMessage = Infer<typeof filesPersistedMessage>;
