import { asString } from "@agentwire/protocol/support";
import type { Tool, ToolOutcome } from "../tools/tool.ts";
import type { OwnWorktree } from "./own-worktree.ts";
import type { Lost } from "./worktrees.ts";

/** The tools with which the model moves the session into a worktree and back. */
export function worktreeTools(own: OwnWorktree): readonly Tool[] {
  return [enterTool(own), exitTool(own)];
}

function enterTool(own: OwnWorktree): Tool {
  return {
    name: "EnterWorktree",
    description:
      "Work in a git worktree: a checkout of its own below .claude/worktrees, on a new branch, so that the user's checkout stays as it is. Only when the user, or what the project has written down, asks for a worktree.",
    inputSchema: {
      type: "object",
      properties: {
        name: {
          type: "string",
          description:
            "The name of a new worktree: letters, digits, dots, underscores, dashes; random if not given",
        },
        path: { type: "string", description: "A worktree that is there already, in place of a new one" },
      },
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async refuse({ name, path }) {
      if (name !== undefined && path !== undefined) return "Give a name or a path, not both.";
      if (path === undefined && own.entered)
        return "The session is in a worktree already: leave it with ExitWorktree first, or give the path of another.";
      return undefined;
    },
    async run({ name, path }, context) {
      const { place, branch } = await own.enter({ name: asString(name), path: asString(path) }, context);
      const on = branch === undefined ? "" : ` on the branch ${branch}`;
      const verb = path === undefined ? "Created" : "Entered";
      const message = `${verb} the worktree ${place.path}${on}. The session works there now; ExitWorktree leads back.`;
      const data = {
        worktreePath: place.path,
        ...(branch !== undefined && { worktreeBranch: branch }),
        message,
      };
      return { content: message, data };
    },
  };
}

const NOT_ENTERED =
  "The session has entered no worktree with EnterWorktree, so there is none to leave. Nothing was changed.";

function exitTool(own: OwnWorktree): Tool {
  return {
    name: "ExitWorktree",
    description:
      'Leave the worktree that EnterWorktree led into. "keep" leaves it and its branch on disk; "remove" deletes both, which needs discard_changes if there is work in it: ask the user first.',
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["keep", "remove"] },
        discard_changes: {
          type: "boolean",
          description: "With remove: whether uncommitted changes and unmerged commits may be lost",
        },
      },
      required: ["action"],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async refuse({ action, discard_changes }) {
      if (!own.entered) return NOT_ENTERED;
      if (action !== "remove" || discard_changes === true) return undefined;
      const open = countedWork(await own.openWork());
      if (open === "") return undefined;
      return `The worktree has ${open}, which would be lost. Ask the user, then call again with discard_changes: true, or with action "keep".`;
    },
    run: ({ action, discard_changes }, { signal }) =>
      leave(own, action === "remove" ? { discard: discard_changes === true } : undefined, signal),
  };
}

async function leave(
  own: OwnWorktree,
  removal: { readonly discard: boolean } | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { entered } = own;
  if (!entered) throw new Error(NOT_ENTERED);
  const { worktree, before } = entered;
  const lost = await own.leave(entered, removal, signal);
  const isRemoved = removal !== undefined;
  const { place, branch } = worktree;
  const on = branch === undefined ? "" : ` on the branch ${branch}`;
  const gone = countedWork(lost);
  const what = isRemoved
    ? `Left the worktree ${place.path} and removed it.${gone === "" ? "" : ` Discarded ${gone}.`}`
    : `Left the worktree. The work stays in ${place.path}${on}.`;
  const message = `${what} The session works in ${before} again.`;
  const data = {
    action: isRemoved ? "remove" : "keep",
    originalCwd: before,
    worktreePath: place.path,
    ...(branch !== undefined && { worktreeBranch: branch }),
    ...(isRemoved && { discardedFiles: lost.files, discardedCommits: lost.commits }),
    restoredCwd: before,
    originalCwdMissing: false,
    message,
  };
  return { content: message, data };
}

/** Describes open work; empty if there is none. */
function countedWork({ files, commits }: Lost): string {
  const counted = (count: number, what: string) =>
    count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];
  return [...counted(files, "uncommitted file"), ...counted(commits, "unmerged commit")].join(" and ");
}
