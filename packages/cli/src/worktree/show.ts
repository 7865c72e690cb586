import { GetWorktreeResponseSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { Call } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { CliError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { table } from "../render/table.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

/** Shows what a session has done in its worktree. */
export async function show(call: Call): Promise<number> {
  const { io, json } = call;
  const work = await workOf(call);
  if (json) io.stdout.write(jsonLine(GetWorktreeResponseSchema, work));
  else io.stdout.write(describe(work));
  return EXIT_CODES.done;
}

/** Prints the differences from the base as a patch. */
export async function diff(call: Call): Promise<number> {
  const { patch, patchOmitted, worktree } = await workOf(call);
  if (patchOmitted)
    throw new CliError("the differences are too large to send", {
      hint: `run git diff ${worktree?.baseCommit} in ${worktree?.path}`,
    });
  call.io.stdout.write(patch);
  return EXIT_CODES.done;
}

async function workOf({ io, args: [given = ""] }: Call) {
  const client = await runningDaemon(io, "worktree");
  return client.sessions.getWorktree({ sessionId: await sessionId(client, given) });
}

type Work = Awaited<ReturnType<typeof workOf>>;

function describe({ worktree, currentBranch, files, uncommitted, unmergedCommits }: Work): string {
  const branch = worktree?.branch ?? "";
  const rows: (readonly [string, string])[] = [
    ["folder", plain(worktree?.path ?? "")],
    ["branch", currentBranch === branch ? branch : `${currentBranch || "none"} (made for ${branch})`],
    ["base", worktree?.base || "none"],
    ["commits", unmergedCommits === 0 ? "" : `${unmergedCommits} on no other branch`],
    ["uncommitted", uncommitted.length === 0 ? "" : `${uncommitted.length} files`],
  ];
  const changed = files.map(({ path, insertions, deletions }) => [
    plain(path),
    `+${insertions} -${deletions}`,
  ]);
  return table([...rows.filter(([, value]) => value !== ""), ...changed] as (readonly [string, string])[]);
}
