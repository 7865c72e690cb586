import { array } from "../../schema/collection.ts";
import { defaulted, object, optional, required } from "../../schema/object.ts";
import { anything, boolean, literal, number, oneOf, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";
import { acknowledgement } from "../request-table.ts";

/** Requests about files of the workspace. */
export const fileRequests = {
  rewind_files: {
    request: about(
      "R",
      "Restores the files to their state before a prompt; a failed rewind is answered with an error.",
      object({
        subtype: literal("rewind_files"),
        user_message_id: required(string, "the uuid of the prompt"),
        dry_run: optional(boolean, "true: only reports what would change, or why it can't"),
      }),
    ),
    response: object({
      canRewind: defaulted(boolean, false),
      error: optional(string),
      filesChanged: optional(array(string)),
      insertions: optional(number),
      deletions: optional(number),
      skippedLinks: optional(number),
    }),
  },
  read_file: {
    request: about(
      "X",
      "Reads a file that the session may read.",
      object({
        subtype: literal("read_file"),
        path: string,
        max_bytes: optional(number),
        encoding: optional(oneOf("utf-8", "base64")),
      }),
    ),
    response: object({
      contents: string,
      absPath: defaulted(string, ""),
      truncated: optional(boolean),
      encoding: optional(oneOf("base64")),
      lossy: optional(boolean),
    }),
  },
  seed_read_state: {
    request: about(
      "X",
      "Marks a file as already read, so that it may be edited again; skipped if the file has changed.",
      object({ subtype: literal("seed_read_state"), path: string, mtime: number }),
    ),
    response: acknowledgement,
  },
  register_repo_root: {
    request: about(
      "X",
      "Adds another repository to the workspace.",
      object({
        subtype: literal("register_repo_root"),
        directory: string,
        reload_claude_md: optional(boolean),
        reload_plugins: optional(boolean),
        reload_skills: optional(boolean),
      }),
    ),
    response: acknowledgement,
  },
  file_suggestions: {
    request: about(
      "X",
      "Asks for file names that complete what a person has typed so far.",
      object({ subtype: literal("file_suggestions"), query: string }),
    ),
    response: object({ suggestions: defaulted(array(anything), []), cwd: optional(string) }),
  },
};
