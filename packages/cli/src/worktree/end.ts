import { type EndWorktreeRequestSchema, EndWorktreeResponseSchema, WorktreeEnd } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { plain } from "../render/plain.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";

/** Ends the agent and keeps the worktree. */
export const keep = (call: Call): Promise<number> => end(call, { end: WorktreeEnd.KEEP }, "is kept in");

/** Merges the work into the base branch. */
export const merge = (call: Call): Promise<number> =>
  end(
    call,
    { end: WorktreeEnd.MERGE, commitMessage: textOption(call, "commit") ?? "" },
    "is merged and removed from",
  );

/** Removes the worktree; discards work in it only with `--discard`. */
export const remove = (call: Call): Promise<number> =>
  end(call, { end: WorktreeEnd.REMOVE, discard: hasOption(call, "discard") }, "is removed from");

async function end(
  { io, json, args: [given = ""] }: Call,
  how: MessageInitShape<typeof EndWorktreeRequestSchema>,
  became: string,
): Promise<number> {
  const client = await runningDaemon(io, "worktree");
  const answer = await client.sessions.endWorktree({ ...how, sessionId: await sessionId(client, given) });
  const { worktree } = answer;
  io.stdout.write(
    json
      ? jsonLine(EndWorktreeResponseSchema, answer)
      : `${worktree?.branch} ${became} ${plain(worktree?.path ?? "")}\n`,
  );
  return EXIT_CODES.done;
}
