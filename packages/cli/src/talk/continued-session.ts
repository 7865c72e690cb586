import type { Session } from "@agentwire/api";
import { type Call, hasOption, textOption } from "../command.ts";
import { CliError, UsageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { findSession } from "./sessions.ts";

/** The session to continue, with the requested model and mode applied; undefined to start a new one. */
export async function continuedSession(
  call: Call,
  client: Client,
  cwd: string,
): Promise<Session | undefined> {
  const named = textOption(call, "session") ?? textOption(call, "resume");
  if (named !== undefined) {
    mustBeNew(
      call,
      ["continue", "cwd", "agent", "trust", "worktree"],
      hasOption(call, "session") ? "--session" : "--resume",
    );
    return changed(call, client, await findSession(client, named));
  }
  if (!hasOption(call, "continue")) return undefined;
  mustBeNew(call, ["agent", "trust", "worktree"], "--continue");
  const { sessions } = await client.sessions.listSessions({ cwd, pageSize: 1 });
  if (sessions[0]) return changed(call, client, sessions[0]);
  throw new CliError(`no session${cwd === "" ? "" : ` in ${cwd}`} to continue`, {
    hint: "omit --continue to start one",
  });
}

/** Options that would have no effect are an error. */
function mustBeNew(call: Call, options: readonly string[], beside: string): void {
  const given = options.find((name) => hasOption(call, name));
  if (given !== undefined)
    throw new UsageError(`--${given} can't be combined with ${beside}, which continues an existing session`);
}

/** Applies the options that can change an existing session. */
async function changed(call: Call, { sessions }: Client, session: Session): Promise<Session> {
  const { id: sessionId } = session;
  const model = textOption(call, "model") ?? session.model;
  const permissionMode = textOption(call, "mode") ?? session.permissionMode;
  if (model !== session.model) await sessions.setModel({ sessionId, model });
  if (permissionMode !== session.permissionMode) await sessions.setMode({ sessionId, permissionMode });
  return { ...session, model, permissionMode };
}
