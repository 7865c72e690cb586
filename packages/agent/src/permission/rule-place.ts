import { join, relative } from "node:path";
import type { GivenRule } from "@agentwire/protocol/permission";
import { isInside } from "../files/real-path.ts";
import type { WorktreePlace } from "../tools/workspace.ts";
import type { LocatedAccess, LocatedCall } from "./call.ts";

/** The rules and the folder they are relative to. */
export interface RulePlace {
  /** The folder that `./rel` rules are relative to. */
  readonly cwd: string;
  readonly rules: readonly GivenRule[];
  /** In a worktree: the deny and ask rules of the original folder, and how to map a call to that folder. */
  readonly origin?: {
    readonly cwd: string;
    readonly rules: readonly GivenRule[];
    /** Maps a path in the worktree to the original folder. */
    readonly back: (file: string) => string;
    readonly sees: (call: LocatedCall) => LocatedCall;
  };
}

/**
 * The rules for calls in a worktree. All rules apply there as in the original folder; what is forbidden in the original folder
 * stays forbidden, both there and for the copies in the worktree.
 */
export function rulesIn(worktree: WorktreePlace | undefined, { cwd, rules }: RulePlace): RulePlace {
  if (!worktree) return { cwd, rules };
  const { path, origin } = worktree;
  const there = (folder: string) =>
    isInside(folder, origin) && !isInside(folder, path) ? join(path, relative(origin, folder)) : folder;
  const back = (file: string) => (isInside(file, path) ? join(origin, relative(path, file)) : file);
  const asBefore = (access: LocatedAccess): LocatedAccess => ({
    ...access,
    path: back(access.path),
    real: [...new Set([...access.real, ...access.real.map(back)])],
  });
  return {
    cwd: there(cwd),
    rules: rules.map((given) => (given.root === undefined ? given : { ...given, root: there(given.root) })),
    origin: {
      cwd,
      rules: rules.filter(({ behavior }) => behavior !== "allow"),
      back,
      sees: (call) => ({
        ...call,
        accesses: call.accesses.map(asBefore),
        mayRead: call.mayRead.map(asBefore),
      }),
    },
  };
}
