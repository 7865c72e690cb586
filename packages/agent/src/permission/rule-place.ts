import { join, relative } from "node:path";
import type { GivenRule } from "@agentwire/protocol/permission";
import { isInside } from "../files/real-path.ts";
import type { WorktreePlace } from "../tools/workspace.ts";
import type { LocatedAccess, LocatedCall } from "./call.ts";

/** Where rules start from. */
export interface RulePlace {
  /** The folder that `./rel` rules start from. */
  readonly cwd: string;
  readonly rules: readonly GivenRule[];
  /** In a worktree: what forbids something in the folder that it stands in for, and the call as it would be there. */
  readonly origin?: {
    readonly cwd: string;
    readonly rules: readonly GivenRule[];
    /** The path in that folder that a path in the worktree stands for. */
    readonly back: (file: string) => string;
    readonly sees: (call: LocatedCall) => LocatedCall;
  };
}

/**
 * Where the rules start from for calls in a worktree. They hold there as in the folder that it stands in for; and what is
 * forbidden in that folder is forbidden still, both there and for the copy.
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
