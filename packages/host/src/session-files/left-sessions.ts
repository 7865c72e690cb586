import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isSessionId, projectsFolder } from "@agentwire/local/transcript";
import type { SDKSessionInfo, SessionMessage } from "../sdk/sessions.ts";
import { readEnds } from "./ends.ts";
import { readEntries } from "./entry.ts";
import { sessionInfo } from "./info.ts";
import { sidecarTitle } from "./kept-title.ts";
import { listLocalSessions } from "./list.ts";
import { conversationMessages } from "./messages.ts";
import { projectFolders } from "./projects.ts";

/** A conversation that a program has left on disk. */
export interface LeftSession {
  readonly info: SDKSessionInfo;
  /** Its messages, oldest first, with the time of each if known. */
  messages(): Promise<readonly (SessionMessage & { readonly timestamp?: unknown })[]>;
}

/** The sessions in a configuration folder, whichever program left them; the official helpers look only in the user's own folder. */
export function leftSessions(configDir: string) {
  const root = projectsFolder(configDir);
  return {
    /** Newest first. */
    list: (limit: number): Promise<SDKSessionInfo[]> => listLocalSessions({ limit }, root),
    /** One of them; undefined if it is not there, or has nothing in it to show. */
    async find(sessionId: string): Promise<LeftSession | undefined> {
      if (!isSessionId(sessionId)) return undefined;
      for (const { folder } of await projectFolders(undefined, false, root)) {
        const path = join(folder, `${sessionId}.jsonl`);
        const ends = await readEnds(path);
        const title = ends && (await sidecarTitle(path, sessionId));
        const info = ends && sessionInfo(sessionId, ends, { title });
        if (info)
          return {
            info,
            messages: async () => conversationMessages(await readEntries(path, (await stat(path)).size), {}),
          };
      }
      return undefined;
    },
  };
}
