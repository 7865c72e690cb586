import type { Session } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Client } from "../client.ts";
import type { SessionReport } from "./summary.ts";

/** How many of the latest sessions are looked at. */
export const LATEST = 50;
/** A report stands near the end of a session; further back nobody looks. */
const LAST_EVENTS = 40;
const AT_ONCE = 4;

/** The last reports of the latest sessions. */
export async function loadReports({ sessions }: Client): Promise<readonly SessionReport[]> {
  const list = await sessions.listSessions({ pageSize: LATEST });
  const waiting = [...list.sessions];
  const found: SessionReport[] = [];
  const work = async () => {
    for (let session = waiting.shift(); session; session = waiting.shift()) {
      const report = await lastReport(sessions, session);
      if (report) found.push(report);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function lastReport(
  sessions: Client["sessions"],
  session: Session,
): Promise<SessionReport | undefined> {
  const { events } = await sessions.listEvents({
    sessionId: session.id,
    backwards: true,
    pageSize: LAST_EVENTS,
  });
  const event = events.findLast(({ body }) => body.case === "usageReport");
  if (event?.body.case !== "usageReport") return undefined;
  return { session, report: event.body.value, timeMs: event.time ? timestampMs(event.time) : 0 };
}
