import { ListSessionsResponseSchema, type Session } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Call, hasOption, textOption } from "../command.ts";
import { pathForDaemon } from "../daemon/daemon-paths.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { oneLine, oneLineEnd } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { lastTurnFailed, TURN_FAILED } from "../render/session-status.ts";
import { table } from "../render/table.ts";
import { printAge } from "../render/time.ts";
import { jsonLine } from "../talk/json.ts";
import { statusName, statusNamed } from "./status.ts";

/** How many sessions to request at once. */
const PAGE = 500;

/** Lists sessions. */
export async function list(call: Call): Promise<number> {
  const { io, json } = call;
  const { sessions } = await runningDaemon(io, "sessions");
  const cwd = textOption(call, "cwd");
  const status = statusNamed(textOption(call, "status") ?? "");
  const limit = limitOf(call);
  const filter = {
    search: textOption(call, "search") ?? "",
    cwd: cwd === undefined ? "" : pathForDaemon(io, "--cwd", cwd),
    statuses: status === undefined ? [] : [status],
    includeDeleted: hasOption(call, "deleted"),
    archived: hasOption(call, "archived"),
    byAttention: hasOption(call, "attention"),
  };
  const page = await sessions.listSessions({ ...filter, pageSize: Math.min(limit, PAGE) });
  while (page.nextPageToken !== "" && page.sessions.length < limit) {
    const pageSize = Math.min(limit - page.sessions.length, PAGE);
    const next = await sessions.listSessions({ ...filter, pageSize, pageToken: page.nextPageToken });
    page.sessions.push(...next.sessions);
    page.nextPageToken = next.nextPageToken;
  }
  if (json) io.stdout.write(jsonLine(ListSessionsResponseSchema, page));
  else if (page.sessions.length === 0)
    io.stdout.write('No matching sessions; start one: agentwire run "hello"\n');
  else {
    const { columns } = io.stdout;
    const rows = page.sessions.map((session) => row(session, roomIn(columns), Date.now()));
    io.stdout.write(table([["ID", "STATUS", "LAST", "TITLE", "FOLDER"], ...rows], columns));
    if (page.nextPageToken !== "") io.stdout.write("… and more: --limit N shows them\n");
  }
  return EXIT_CODES.done;
}

/** The widths available for the two flexible columns. */
interface Room {
  readonly title: number;
  readonly folder: number;
}

/** The usual width of the columns before them. */
const BEFORE = 33;
const MIN_WIDTH = 10;

function roomIn(columns = 120): Room {
  const title = Math.max(MIN_WIDTH, Math.floor((columns - BEFORE) * 0.6));
  return { title, folder: Math.max(MIN_WIDTH, columns - BEFORE - title) };
}

function row(session: Session, room: Room, now: number): string[] {
  const { id, status, updatedAt, cwd, title, openQuestions, deletedAt } = session;
  const state = deletedAt ? "deleted" : lastTurnFailed(session) ? TURN_FAILED : statusName(status);
  return [
    shortId(id),
    openQuestions > 0 ? `${state} (${openQuestions})` : state,
    updatedAt ? printAge(timestampMs(updatedAt), now) : "",
    oneLine(title, room.title),
    oneLineEnd(cwd, room.folder),
  ];
}

function limitOf(call: Call): number {
  const given = textOption(call, "limit") ?? "50";
  if (/^\d{1,6}$/.test(given) && Number(given) >= 1) return Number(given);
  throw new UsageError(`--limit takes a number from 1 to 999999, not ${given}`);
}
