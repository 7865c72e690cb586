import { MoveSessionResponseSchema, type Session, SessionSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, hasOption, textOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { oneLine, plain } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { jsonLine } from "../talk/json.ts";
import { findSession, sessionId } from "../talk/sessions.ts";

/** Renames a session. */
export async function rename(call: Call): Promise<number> {
  const [given = "", ...words] = call.args;
  const client = await runningDaemon(call.io, "sessions");
  const title = words.join(" ");
  const { session } = await client.sessions.renameSession({
    sessionId: await sessionId(client, given),
    title,
  });
  const name = oneLine(title, 60).trim();
  return tell(call, session, name === "" ? "no longer has a title" : `is now called ${name}`);
}

/** Soft-deletes sessions. */
export async function remove({ io, json, args }: Call): Promise<number> {
  const client = await runningDaemon(io, "sessions");
  for (const given of args) {
    const id = await sessionId(client, given);
    await client.sessions.deleteSession({ sessionId: id });
    const restore = `to restore it: agentwire sessions restore ${shortId(id)}`;
    io.stdout.write(
      json ? `${JSON.stringify({ deleted: id })}\n` : `${shortId(id)} is deleted; ${restore}\n`,
    );
  }
  return EXIT_CODES.done;
}

/** Restores a deleted session. */
export async function restore(call: Call): Promise<number> {
  const [given = ""] = call.args;
  const client = await runningDaemon(call.io, "sessions");
  const { id } = await findSession(client, given, true);
  const { session } = await client.sessions.restoreSession({ sessionId: id });
  return tell(call, session, "is restored");
}

/** Makes an independent copy of a session. */
export async function fork(call: Call): Promise<number> {
  const [given = ""] = call.args;
  const client = await runningDaemon(call.io, "sessions");
  const title = textOption(call, "title") ?? "";
  const { session } = await client.sessions.forkSession({ sessionId: await sessionId(client, given), title });
  return tell(call, session, `is a copy of ${given}`);
}

/** Moves a session to another node. */
export async function move(call: Call): Promise<number> {
  const { io, json, args } = call;
  const to = textOption(call, "to");
  if (to === undefined) throw new UsageError("--to NODE is missing; agentwire nodes lists the nodes");
  const client = await runningDaemon(io, "sessions");
  const id = await sessionId(client, args[0] ?? "");
  const moved = await client.nodes.moveSession({ sessionId: id, to });
  io.stdout.write(
    json
      ? jsonLine(MoveSessionResponseSchema, moved)
      : `${shortId(id)} is now on ${plain(moved.node?.name ?? "")}\n`,
  );
  return EXIT_CODES.done;
}

function tell({ io, json }: Call, session: Session | undefined, text: string): number {
  if (session) io.stdout.write(json ? jsonLine(SessionSchema, session) : `${shortId(session.id)} ${text}\n`);
  return EXIT_CODES.done;
}

/** Archives sessions, or takes them out of the archive. */
export const archive = (call: Call): Promise<number> =>
  mark(call, (isSet) => ({ archived: isSet }), ["is archived", "is no longer archived"]);

/** Pins sessions, or unpins them. */
export const pin = (call: Call): Promise<number> =>
  mark(call, (isSet) => ({ pinned: isSet }), ["is pinned", "is no longer pinned"]);

type Marks = { readonly archived?: boolean; readonly pinned?: boolean };

async function mark(
  call: Call,
  marksOf: (isSet: boolean) => Marks,
  [done, undone]: readonly [done: string, undone: string],
): Promise<number> {
  const client = await runningDaemon(call.io, "sessions");
  const isSet = !hasOption(call, "undo");
  for (const given of call.args) {
    const id = await sessionId(client, given);
    await client.sessions.markSession({ sessionId: id, ...marksOf(isSet) });
    call.io.stdout.write(`${shortId(id)} ${isSet ? done : undone}\n`);
  }
  return EXIT_CODES.done;
}
