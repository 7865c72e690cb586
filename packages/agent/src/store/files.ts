import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import { WIRE_VERSION } from "../config/version.ts";
import { gitBranch } from "./git-branch.ts";
import { openTranscript } from "./jsonl.ts";
import { openConversation } from "./open-conversation.ts";
import { NO_QUEUE, type Store } from "./store.ts";

/** Stores sessions as the official programs do: one file of JSON lines per session, in the user's configuration folder. */
export function fileStore(config: Config): Store {
  const { configDir, cwd, persists, entrypoint = "sdk-cli" } = config;
  /** A resumed session stays in its folder. */
  let folder: string | undefined;
  return {
    async open() {
      const opening = await openConversation(config);
      if (opening.kind === "open") folder = opening.folder;
      return opening;
    },
    transcript: (wanted) =>
      openTranscript({
        configDir,
        cwd,
        folder,
        persist: persists,
        version: WIRE_VERSION,
        entrypoint,
        gitBranch: gitBranch(cwd),
        ...wanted,
      }),
    renew() {
      folder = undefined;
      return randomUUID();
    },
    folderName: (sessionId) => sessionId,
    queue: NO_QUEUE,
  };
}
