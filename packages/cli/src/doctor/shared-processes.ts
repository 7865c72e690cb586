import type { HealthDetailsResponse } from "@agentwire/api";
import { type Finding, warning } from "./finding.ts";

/** The processes whose sessions disturb each other. */
export const slowProcesses = ({ sharedProcesses }: HealthDetailsResponse): readonly Finding[] =>
  sharedProcesses
    .filter(({ slow }) => slow)
    .map(({ pid, sessions, eventLoopDelayMs }) =>
      warning(
        "agents",
        `process ${pid} with ${sessions} ${sessions === 1 ? "session" : "sessions"} did not respond for ${eventLoopDelayMs} ms in the last second`,
        "if it goes on, lower sessions_per_process of the agent in settings.json, or give the machine more processor time",
      ),
    );
