import type { HealthDetailsResponse } from "@agentwire/api";
import { type Finding, warning } from "./finding.ts";

/** Warnings about shared processes whose sessions slow each other down. */
export const slowProcesses = ({ sharedProcesses }: HealthDetailsResponse): readonly Finding[] =>
  sharedProcesses
    .filter(({ slow }) => slow)
    .map(({ pid, sessions, eventLoopDelayMs }) =>
      warning(
        "agents",
        `process ${pid} with ${sessions} ${sessions === 1 ? "session" : "sessions"} did not respond for ${eventLoopDelayMs} ms in the last second`,
        "if this continues, lower the agent's sessions_per_process in settings.json, or give the machine more CPU",
      ),
    );
