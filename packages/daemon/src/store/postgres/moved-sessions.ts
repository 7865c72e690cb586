import type { Snapshots, StoredSnapshot, Transcripts } from "../nodes.ts";
import type { Read } from "./connection.ts";
import type { PgWriter } from "./writer.ts";

/** The conversations of agents in a database. */
export const transcriptsIn = (read: Read, writer: PgWriter): Transcripts => ({
  append: (agentSession, subpath, lines) =>
    writer.keep([{ type: "appendTranscript", agentSession, subpath, lines }]),
  load: async (agentSession, subpath) => {
    const rows = await read<{ line: string }>(
      "SELECT line FROM transcripts WHERE agent_session = $1 AND subpath = $2 ORDER BY place",
      ...[agentSession, subpath],
    );
    return rows.map(({ line }) => line);
  },
  subpaths: async (agentSession) => {
    const rows = await read<{ subpath: string }>(
      "SELECT DISTINCT subpath FROM transcripts WHERE agent_session = $1 AND subpath <> ''",
      agentSession,
    );
    return rows.map(({ subpath }) => subpath);
  },
});

const KNOWN = `node, commit, head, branch, whole AS "isWhole", prefix, (extract(epoch FROM taken) * 1000)::float8 AS "takenMs"`;

/** The files of sessions in a database. */
export const snapshotsIn = (read: Read, writer: PgWriter): Snapshots => ({
  keep: (sessionId, snapshot) => writer.keep([{ type: "keepSnapshot", sessionId, snapshot }]),
  claim: (sessionId) => writer.keep([{ type: "claimSnapshots", sessionId }]),
  last: async (sessionId) => {
    const rows = await read<Omit<StoredSnapshot, "pack">>(
      `SELECT ${KNOWN} FROM snapshots WHERE session_id = $1 ORDER BY place`,
      sessionId,
    );
    const last = rows.at(-1);
    return { ...(last && { last }), steps: rows.length - 1 };
  },
  load: (sessionId) =>
    read<StoredSnapshot>(
      `SELECT ${KNOWN}, pack FROM snapshots WHERE session_id = $1 ORDER BY place`,
      sessionId,
    ),
});
