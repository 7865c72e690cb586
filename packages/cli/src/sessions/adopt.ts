import { ListLocalSessionsResponseSchema, SessionSchema } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption } from "../command.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { oneLine, oneLineEnd } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { table } from "../render/table.ts";
import { printAge } from "../render/time.ts";
import { jsonLine } from "../talk/json.ts";

const MAX = 500;

/** Lists Claude Code's conversations on the daemon's machine, or imports some of them. */
export async function adopt(call: Call): Promise<number> {
  const { io, json, args } = call;
  const { sessions } = await runningDaemon(io, "sessions");
  const isAll = hasOption(call, "all");
  if (args.length === 0 && !isAll) {
    const found = await sessions.listLocalSessions({ pageSize: MAX });
    if (json) io.stdout.write(jsonLine(ListLocalSessionsResponseSchema, found));
    else if (found.sessions.length === 0) io.stdout.write("There are no Claude Code sessions to import.\n");
    else {
      const rows = found.sessions.map(({ agentSessionId, updatedAt, title, cwd }) => [
        agentSessionId,
        updatedAt ? printAge(timestampMs(updatedAt), Date.now()) : "",
        oneLine(title, 40),
        oneLineEnd(cwd, 30),
      ]);
      io.stdout.write(table([["ID", "LAST", "TITLE", "FOLDER"], ...rows], io.stdout.columns));
    }
    return EXIT_CODES.done;
  }
  const ids = isAll
    ? (await sessions.listLocalSessions({ pageSize: MAX })).sessions.map((one) => one.agentSessionId)
    : args;
  for (const agentSessionId of ids) {
    const { session } = await sessions.adoptSession({ agentSessionId });
    if (!session) continue;
    io.stdout.write(
      json ? jsonLine(SessionSchema, session) : `${shortId(session.id)} is ${oneLine(session.title, 60)}\n`,
    );
  }
  return EXIT_CODES.done;
}
