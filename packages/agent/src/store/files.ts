import { randomUUID } from "node:crypto";
import type { Config } from "../config.ts";
import { WIRE_VERSION } from "../init.ts";
import { openConversation } from "../open-conversation.ts";
import { openTranscript } from "./jsonl.ts";
import { FLEETING, type Store } from "./store.ts";

/** Keeps a session as the official programs do: a file of JSON lines per session, under the user's folder. */
export function fileStore(config: Config): Store {
  const { configDir, cwd, flags, env } = config;
  return {
    open: () => openConversation(config),
    transcript: (wanted) =>
      openTranscript({
        configDir,
        cwd,
        persist: !flags.has("no-session-persistence"),
        version: WIRE_VERSION,
        ...(env.CLAUDE_CODE_ENTRYPOINT && { entrypoint: env.CLAUDE_CODE_ENTRYPOINT }),
        ...wanted,
      }),
    renew: () => randomUUID(),
    folderName: (sessionId) => sessionId,
    queue: FLEETING,
  };
}
