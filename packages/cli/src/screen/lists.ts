import { type Session, SessionStatus } from "@agentwire/api";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { oneLine } from "../render/plain.ts";
import { shortId } from "../render/question-line.ts";
import { lastTurnFailed, TURN_FAILED } from "../render/session-status.ts";
import { printAge } from "../render/time.ts";
import { printTokens } from "../render/usage-line.ts";
import type { Client } from "../talk/client.ts";
import type { Entry } from "./model/picker.ts";

const MAX_SESSIONS = 100;

const STATUS_WORDS: ReadonlyMap<SessionStatus, string> = new Map([
  [SessionStatus.ASKING, "● asks"],
  [SessionStatus.RUNNING, "running"],
  [SessionStatus.STARTING, "starting"],
  [SessionStatus.WAITING, "waits"],
  [SessionStatus.RECOVERING, "recovering"],
  [SessionStatus.FAILED, "failed"],
]);

/** The sessions to switch to, those that need attention first, and a new one. */
export async function sessionEntries({ sessions }: Client, nowMs: number): Promise<readonly Entry[]> {
  const page = await sessions.listSessions({ pageSize: MAX_SESSIONS, byAttention: true });
  return [
    { label: "a new session here", detail: "", value: "" },
    ...page.sessions.map((one) => entryOf(one, nowMs)),
  ];
}

function entryOf(session: Session, nowMs: number): Entry {
  const { id, title, cwd, status, updatedAt } = session;
  const age = updatedAt ? printAge(timestampMs(updatedAt), nowMs) : "";
  return {
    label: title === "" ? "untitled" : title,
    detail: [lastTurnFailed(session) ? TURN_FAILED : STATUS_WORDS.get(status), age, cwd, shortId(id)]
      .filter(Boolean)
      .join(" · "),
    value: id,
  };
}

/** How many other sessions are waiting for an answer. */
export async function askingElsewhere({ sessions }: Client, ownId: string): Promise<number> {
  const page = await sessions.listSessions({ pageSize: MAX_SESSIONS, statuses: [SessionStatus.ASKING] });
  return page.sessions.filter(({ id }) => id !== ownId).length;
}

/** The models that the daemon can reach, and the agent's default. */
export async function modelEntries({ models }: Client, agent: string): Promise<readonly Entry[]> {
  const answer = await models.listModels({ agent });
  return [
    { label: "the agent's own choice", detail: "", value: "" },
    ...answer.models.map(({ name, provider, title, contextWindow }) => ({
      label: name,
      detail: [
        title === name ? "" : title,
        provider,
        contextWindow === undefined ? "" : `${printTokens(contextWindow)} tokens of context`,
      ]
        .filter(Boolean)
        .join(" · "),
      value: name,
    })),
  ];
}

/** The commands of a session's agent, with its descriptions. */
export async function agentCommands({ workspace }: Client, sessionId: string) {
  const { commands } = await workspace.listCommands({ sessionId });
  return commands.map(({ name, description, argumentHint }) => ({
    name,
    words: oneLine([argumentHint, description].filter(Boolean).join(" – "), 200),
  }));
}

const MAX_FILES = 100;

/** The best-matching file paths according to the daemon, in a session or else in a folder. */
export async function fileEntries(
  { workspace }: Client,
  where: { readonly sessionId: string } | { readonly cwd: string },
  query: string,
): Promise<readonly Entry[]> {
  const { paths } = await workspace.findFiles({ ...where, query, limit: MAX_FILES });
  return paths.map((path) => ({ label: path, detail: "", value: path }));
}
