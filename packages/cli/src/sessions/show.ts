import { type Session, SessionSchema, WorktreeState } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Call } from "../command.ts";

import { runningDaemon } from "../daemon/reach.ts";
import { plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { printUsage } from "../render/usage-line.ts";
import { jsonLine } from "../talk/json.ts";
import { findSession } from "../talk/sessions.ts";
import { statusName } from "./status.ts";

/** Shows one session. */
export async function show({ io, json, args: [given = ""] }: Call): Promise<number> {
  const session = await findSession(await runningDaemon(io, "sessions"), given, true);
  io.stdout.write(json ? jsonLine(SessionSchema, session) : describe(session));
  return EXIT_CODES.done;
}

function worktreeRow({ worktree }: Session): string {
  if (!worktree) return "";
  const { branch, base, state } = worktree;
  if (state === WorktreeState.MERGED) return `merged into ${plain(base)}`;
  return state === WorktreeState.REMOVED ? "removed" : `${plain(branch)}, from ${plain(base) || "a commit"}`;
}

function describe(session: Session): string {
  const { id, title, cwd, agent, model, permissionMode, status, createdAt, updatedAt, deletedAt } = session;
  const when = (time: typeof createdAt) => (time ? timestampDate(time).toLocaleString() : "");
  const rows: (readonly [string, string])[] = [
    ["id", id],
    ["title", plain(title)],
    ["folder", plain(cwd)],
    ["worktree", worktreeRow(session)],
    ["agent", agent],
    ["model", model],
    ["mode", permissionMode],
    ["status", deletedAt ? "deleted" : statusName(status)],
    ["begun", when(createdAt)],
    ["last", when(updatedAt)],
    ["events", String(session.lastSeq)],
    ["questions", session.openQuestions === 0 ? "" : `${session.openQuestions} open: agentwire questions`],
    ["waiting", session.queuedPrompts === 0 ? "" : `${session.queuedPrompts} prompts`],
    ["watched by", session.watchers === 0 ? "" : `${session.watchers} clients`],
    ["input held by", plain(session.inputHolder)],
    ["used", session.usage ? printUsage(session.usage) : ""],
    ["copy of", shortId(session.forkedFrom)],
  ];
  return table(rows.filter(([, value]) => value !== ""));
}
