import type { Io } from "../io.ts";
import { shortId } from "../render/question-line.ts";

/** What can be completed only by asking the daemon. */
export type WordKind = "sessions" | "models" | "agents";

/** Which options take such words, by their names. */
export const WORD_OPTIONS: ReadonlyMap<string, WordKind> = new Map([
  ["session", "sessions"],
  ["resume", "sessions"],
  ["model", "models"],
  ["agent", "agents"],
]);

/** A key that is pressed must not wait for long. */
const MOST_MS = 2000;
const MOST_SESSIONS = 50;

/** The words, or none where no daemon answers: whoever completes a line starts nothing. */
export async function completionWords(kind: string, io: Io): Promise<readonly string[]> {
  const { daemonClient } = await import("../daemon/reach.ts");
  const client = daemonClient(io, "completion");
  const options = { timeoutMs: MOST_MS };
  try {
    switch (kind) {
      case "sessions": {
        const { sessions } = await client.sessions.listSessions({ pageSize: MOST_SESSIONS }, options);
        return sessions.map(({ id }) => shortId(id));
      }
      case "models":
        return (await client.models.listModels({}, options)).models.map(({ name }) => name);
      case "agents":
        return (await client.health.healthDetails({}, options)).agents.map(({ name }) => name);
      default:
        return [];
    }
  } catch {
    return [];
  }
}
