import type { Io } from "../io.ts";
import { shortId } from "../render/question-line.ts";

/** Kinds of words that only the daemon can complete. */
export type WordKind = "sessions" | "models" | "agents";

/** The options that take such words. */
export const WORD_OPTIONS: ReadonlyMap<string, WordKind> = new Map([
  ["session", "sessions"],
  ["resume", "sessions"],
  ["model", "models"],
  ["agent", "agents"],
]);

/** Short, because the user waits for the completion. */
const MAX_MS = 2000;
const MAX_SESSIONS = 50;

/** The words, or none if no daemon answers: completion never starts one. */
export async function completionWords(kind: string, io: Io): Promise<readonly string[]> {
  const { daemonClient } = await import("../daemon/reach.ts");
  const client = daemonClient(io, "completion");
  const options = { timeoutMs: MAX_MS };
  try {
    switch (kind) {
      case "sessions": {
        const { sessions } = await client.sessions.listSessions({ pageSize: MAX_SESSIONS }, options);
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
