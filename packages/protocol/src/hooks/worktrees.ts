import { about } from "../schema/about.ts";
import { required } from "../schema/object.ts";
import { string } from "../schema/scalar.ts";
import { inputOf, outputOf } from "./shape.ts";

/** Events in which a hook makes and removes working trees in place of git. */
export const worktreeHooks = {
  WorktreeCreate: {
    input: about(
      "X",
      "When a working tree is wanted: the hook makes it and tells where.",
      inputOf("WorktreeCreate", { name: string }),
    ),
    output: outputOf("WorktreeCreate", { worktreePath: required(string, "absolute") }),
  },
  WorktreeRemove: {
    input: about(
      "X",
      "When a working tree is no longer wanted.",
      inputOf("WorktreeRemove", { worktree_path: string }),
    ),
  },
};
