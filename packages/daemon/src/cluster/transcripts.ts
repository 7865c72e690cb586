import type { SessionStore, SessionStoreEntry } from "@agentwire/host";
import type { Transcripts } from "../store/nodes.ts";

/** Stores the conversations of agents, so that an agent can resume on whichever node continues the session. */
export const sessionStoreIn = (transcripts: Transcripts): SessionStore => ({
  append: ({ sessionId, subpath = "" }, entries) =>
    transcripts.append(
      sessionId,
      subpath,
      entries.map((entry) => JSON.stringify(entry)),
    ),
  load: async ({ sessionId, subpath = "" }) => {
    const lines = await transcripts.load(sessionId, subpath);
    return lines.length === 0 ? null : lines.map((line) => JSON.parse(line) as SessionStoreEntry);
  },
  listSubkeys: async ({ sessionId }) => [...(await transcripts.subpaths(sessionId))],
});
