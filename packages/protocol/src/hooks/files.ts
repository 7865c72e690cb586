import { array } from "../schema/collection.ts";
import { defaulted, optional, required } from "../schema/object.ts";
import { oneOf, string } from "../schema/scalar.ts";
import { about } from "../schema/schema.ts";
import { inputOf, outputOf } from "./shape.ts";

const watching = { watchPaths: optional(array(string), "files to watch from now on") };

/** Events about files, folders and settings. */
export const fileHooks = {
  ConfigChange: {
    matcher: "source",
    input: about(
      "X",
      "When a settings file or a skill has changed.",
      inputOf("ConfigChange", {
        source: oneOf("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
        file_path: optional(string),
      }),
    ),
  },
  InstructionsLoaded: {
    matcher: "load_reason",
    input: about(
      "X",
      "When a file of instructions for the model has been read.",
      inputOf("InstructionsLoaded", {
        file_path: string,
        memory_type: oneOf("User", "Project", "Local", "Managed"),
        load_reason: oneOf("session_start", "nested_traversal", "path_glob_match", "include", "compact"),
        globs: optional(array(string)),
        trigger_file_path: optional(string),
        parent_file_path: optional(string),
      }),
    ),
  },
  CwdChanged: {
    input: about(
      "X",
      "When the session has moved to another folder.",
      inputOf("CwdChanged", { old_cwd: defaulted(string, ""), new_cwd: string }),
    ),
    output: outputOf("CwdChanged", watching),
  },
  FileChanged: {
    matcher: "file_path",
    input: about(
      "X",
      "When a watched file has changed; the matcher is compared with the file's base name.",
      inputOf("FileChanged", { file_path: string, event: oneOf("change", "add", "unlink") }),
    ),
    output: outputOf("FileChanged", watching),
  },
  DirectoryAdded: {
    matcher: "source",
    input: about(
      "X",
      "When a folder has been added to the workspace.",
      inputOf("DirectoryAdded", {
        directory: string,
        source: oneOf("slash_command", "register_repo_root"),
      }),
    ),
  },
};

/** Events in which a hook creates and removes worktrees instead of git. */
export const worktreeHooks = {
  WorktreeCreate: {
    input: about(
      "X",
      "When a worktree is needed: the hook creates it and returns its path.",
      inputOf("WorktreeCreate", { name: string }),
    ),
    output: outputOf("WorktreeCreate", { worktreePath: required(string, "absolute") }),
  },
  WorktreeRemove: {
    input: about(
      "X",
      "When a worktree is no longer needed.",
      inputOf("WorktreeRemove", { worktree_path: string }),
    ),
  },
};
