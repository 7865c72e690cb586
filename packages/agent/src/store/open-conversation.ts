import { randomUUID } from "node:crypto";
import { isMissing } from "@agentwire/local/files";
import { isSessionId, projectFolder, sessionFile } from "@agentwire/local/transcript";
import type { Config } from "../config/config.ts";
import { UsageError } from "../usage-error.ts";
import type { Entry } from "./entry.ts";
import { latestSession } from "./find-session.ts";
import { loadSession } from "./load.ts";
import type { LoadedSession } from "./transcript.ts";

/** How a conversation starts: new, or continuing one of an earlier process. */
export type OpenedConversation =
  | {
      readonly kind: "open";
      readonly sessionId: string;
      readonly earlier: LoadedSession | undefined;
      readonly copied: readonly Entry[];
      /** The folder of its file, if it continues one. */
      readonly folder?: string | undefined;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Finds the conversation that the command line asks for. */
export async function openConversation(config: Config): Promise<OpenedConversation> {
  const { configDir, cwd, sessionId: given, forks: isFork, resumeAt, resumeDropsTurn: dropsTurn } = config;
  if (given !== undefined) {
    const refusal = await refuseSessionId(configDir, cwd, given);
    if (refusal !== undefined) throw new UsageError(refusal);
  }
  const resumed = config.resume ?? (config.continues ? await latestSession(configDir, cwd) : undefined);
  if (resumed === undefined || resumed === "")
    return { kind: "open", sessionId: given ?? randomUUID(), earlier: undefined, copied: [] };
  const loading = await loadSession({
    configDir,
    cwd,
    idOrTitle: resumed,
    ...(resumeAt && { resumeAt }),
    ...(dropsTurn && { dropsTurn }),
  });
  if ("refusal" in loading) return { kind: "refused", reason: loading.refusal };
  const { session, entries, folder } = loading;
  return {
    kind: "open",
    sessionId: isFork ? (given ?? randomUUID()) : session.sessionId,
    earlier: session,
    copied: isFork ? entries : [],
    ...(!isFork && { folder }),
  };
}

/** Why a new session can't have this id; undefined if it can. */
export async function refuseSessionId(
  configDir: string,
  cwd: string,
  sessionId: string,
): Promise<string | undefined> {
  if (!isSessionId(sessionId)) return "Invalid session ID. It must be a valid UUID.";
  if (isMissing(sessionFile(projectFolder(configDir, cwd), sessionId))) return undefined;
  return `Session ID ${sessionId} is already in use.`;
}
