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

/** A conversation as a program has left it. */
export interface LeftSession {
  readonly info: SDKSessionInfo;
  /** Its messages, the oldest first, with the time of each where it is known. */
  messages(): Promise<readonly (SessionMessage & { readonly timestamp?: unknown })[]>;
}

/** The sessions below a folder of settings, whoever left them there; the official helpers look in the user's own folder. */
export function leftSessions(configDir: string) {
  const root = projectsFolder(configDir);
  return {
    /** From the newest to the oldest. */
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
