import type { LocalSessionSchema } from "@agentwire/api";
import { leftSessions } from "@agentwire/host/agent";
import { configFolder } from "@agentwire/local/files";
import { projectsFolder } from "@agentwire/local/transcript";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { adoptedHistory } from "../session/adopted-history.ts";
import type { Session } from "../session/session.ts";
import { newRecord } from "../store/session-record.ts";
import { findInLeft } from "../workspace/find-left.ts";

const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;
/** How many of the newest conversations are considered. */
const MAX_LISTED = 2000;
/** Larger files are not read, since importing needs several times their size in memory. */
const MAX_BYTES = 256 * 1024 * 1024;
const TITLE_CHARS = 200;

const leftIn = ({ config }: Daemon) => leftSessions(configFolder(config.env, config.home));

/** Lists the conversations of other programs that are not sessions here yet, latest first. */
export async function listLocal(
  daemon: Daemon,
  { pageSize, search }: { readonly pageSize: number; readonly search: string },
): Promise<MessageInitShape<typeof LocalSessionSchema>[]> {
  const { config } = daemon;
  const left = await leftIn(daemon).list(MAX_LISTED);
  const known = new Set(await daemon.store.sessions.knownToAgents(left.map(({ sessionId }) => sessionId)));
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const said = await findInLeft(projectsFolder(configFolder(config.env, config.home)), search);
  return left
    .filter(({ sessionId, summary, cwd = "", firstPrompt = "" }) => {
      const text = `${summary} ${cwd} ${firstPrompt}`.toLowerCase();
      const fits = said.has(sessionId) || words.every((word) => text.includes(word));
      return !known.has(sessionId) && cwd !== "" && fits;
    })
    .slice(0, Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE))
    .map(({ sessionId, summary, cwd = "", lastModified, fileSize = 0 }) => ({
      agentSessionId: sessionId,
      title: summary.slice(0, TITLE_CHARS),
      cwd,
      updatedAt: timestampFromMs(lastModified),
      sizeBytes: BigInt(fileSize),
      excerpt: [...(said.get(sessionId) ?? [])],
    }));
}

/** Imports a conversation of another program as a session. */
export async function adopt(daemon: Daemon, agentSessionId: string, agent: string): Promise<Session> {
  const left = await leftIn(daemon).find(agentSessionId);
  if (!left?.info.cwd)
    throw new DaemonError(
      "INVALID_ARGUMENT",
      `agent_session_id: Claude Code has no session ${agentSessionId}`,
    );
  const { cwd, summary, firstPrompt = "", lastModified, createdAt = lastModified, fileSize = 0 } = left.info;
  if (fileSize > MAX_BYTES)
    throw new DaemonError("INVALID_ARGUMENT", `the session ${agentSessionId} is too large to import`);
  const name = daemon.agents.nameOf(agent);
  daemon.agents.mustFork(name);
  const wish = {
    title: summary.slice(0, TITLE_CHARS),
    cwd,
    agent: name,
    model: "",
    mode: "default",
    effort: "",
  };
  const record = {
    ...newRecord({ ...wish, idempotencyKey: null }),
    agentSessionId,
    firstPrompt: firstPrompt.slice(0, TITLE_CHARS),
    createdMs: createdAt,
    updatedMs: lastModified,
  };
  const history = adoptedHistory(await left.messages(), daemon.config.maxPayloadBytes);
  const session = await daemon.registry.adopt(record, `adopted ${agentSessionId}`, history);
  daemon.indexer.note(session.record.id);
  return session;
}
