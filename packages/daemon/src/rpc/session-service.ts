import { type Session as ApiSession, EventSchema, RewindScope, type SessionService } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { DaemonError } from "../errors.ts";
import { folderName } from "../permission/folder-name.ts";
import { search } from "../search/search.ts";
import { checkOut, lookInto, makeWorktree, openWorktree } from "../session/worktree.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { Numbered, SessionSummary } from "../store/store.ts";
import { traceContextOf } from "../tracing/trace-context.ts";
import { callerOf } from "./caller.ts";
import {
  checkEffort,
  checkFolder,
  checkMode,
  checkNewSession,
  contentOf,
  endingOf,
  readServers,
} from "./check-request.ts";
import { converse } from "./converse.ts";
import { adopt, listLocal } from "./local-sessions.ts";
import { toApiSession, toHit, toWorktree } from "./to-api.ts";
import { watch } from "./watch.ts";

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 200;
/** Lines may be long, and clients limit the size of an answer. */
const MAX_RAW_PAGE = 50;

/** Implements the session service. */
export function sessionService(daemon: Daemon): ServiceImpl<typeof SessionService> {
  const { registry, store } = daemon;
  const env = () => daemon.config.env;
  const shown = (record: SessionRecord, { usage, elsewhere, ...stored }: SessionSummary): ApiSession => {
    const live = registry.find(record.id);
    // A session that no node has in memory has no open questions and no queued prompts.
    const { owner = "", openQuestions = 0, queuedPrompts = 0 } = elsewhere ?? {};
    return toApiSession(live?.facts ?? { record, openQuestions, queuedPrompts, usage }, {
      ...stored,
      node: owner,
      lastSeq: live?.journal.lastSeq ?? stored.lastSeq,
      watchers: live?.journal.subscribers.size ?? 0,
      troubles: live?.troubles,
    });
  };
  const apiOf = async (record: SessionRecord): Promise<ApiSession> => {
    const [summary] = await store.sessions.summaries([record.id]);
    return shown(record, summary as SessionSummary);
  };

  return {
    async createSession(request, context) {
      checkNewSession(request);
      const cwd = folderName(request.cwd || daemon.config.defaultFolder);
      const { worktree: wanted, branch } = request;
      if (request.trust) await daemon.trustFolder(cwd, callerOf(context));
      const session = await registry.create({
        title: request.title,
        cwd,
        agent: daemon.agents.nameOf(request.agent),
        model: request.model,
        mode: request.permissionMode || "default",
        effort: request.effort,
        idempotencyKey: request.idempotencyKey || null,
        prepare: async () => {
          if (branch !== "") await checkOut(cwd, branch, registry.live, env());
          return wanted && makeWorktree(cwd, wanted, env());
        },
        begin:
          request.prompt === ""
            ? undefined
            : (created) =>
                created.send(
                  request.prompt,
                  callerOf(context),
                  request.idempotencyKey === "" ? null : "first",
                  traceContextOf(context.requestHeader),
                ),
      });
      return { session: await apiOf(session.record) };
    },

    async inspectFolder({ cwd }) {
      if (cwd !== "") checkFolder(cwd);
      return daemon.inspectFolder(folderName(cwd || daemon.config.defaultFolder));
    },

    async listSessions(request) {
      const cwd = request.cwd && folderName(request.cwd);
      const { sessions, nextPageToken } = await store.sessions.list({ ...request, cwd });
      const summaries = await store.sessions.summaries(sessions.map(({ id }) => id));
      const page = sessions.map((record, at) => shown(record, summaries[at] as SessionSummary));
      return { sessions: page, nextPageToken };
    },

    async searchSessions(request) {
      const isComplete = await daemon.indexer.settle();
      const { hits, nextPageToken } = await search(store, request);
      return { hits: hits.map(toHit), nextPageToken, incomplete: !isComplete };
    },

    async getSession({ sessionId }) {
      const { record, queue } = await registry.get(sessionId);
      const texts = await store.prompts.texts(queue.map(({ id }) => id));
      return {
        session: await apiOf(record),
        queue: queue.map(({ id }, at) => ({ promptId: id, text: texts[at] ?? "" })),
      };
    },

    async renameSession({ sessionId, title }) {
      const session = await registry.get(sessionId);
      await session.rename(title);
      return { session: await apiOf(session.record) };
    },

    async markSession({ sessionId, archived, pinned }) {
      const session = await registry.get(sessionId);
      const since = (isSet: boolean) => (isSet ? Date.now() : null);
      await session.mark({
        ...(archived !== undefined && { archivedMs: since(archived) }),
        ...(pinned !== undefined && { pinnedMs: since(pinned) }),
      });
      return { session: await apiOf(session.record) };
    },

    async deleteSession({ sessionId }) {
      await registry.remove(sessionId);
      return {};
    },

    async restoreSession({ sessionId }) {
      return { session: await apiOf((await registry.restore(sessionId)).record) };
    },

    async forkSession({ sessionId, title, beforePromptId }) {
      daemon.agents.mustFork((await registry.get(sessionId)).record.agent);
      return { session: await apiOf((await registry.fork(sessionId, title, beforePromptId)).record) };
    },

    async listLocalSessions(request) {
      return { sessions: await listLocal(daemon, request) };
    },

    async adoptSession({ agentSessionId, agent }) {
      return { session: await apiOf((await adopt(daemon, agentSessionId, agent)).record) };
    },

    async sendPrompt(request, context) {
      const caller = callerOf(context);
      const session = await registry.get(request.sessionId);
      session.input.mustHold(caller);
      registry.mustTake();
      const { promptId, seq, isNew } = await session.send(
        contentOf(request),
        caller,
        request.idempotencyKey || null,
        traceContextOf(context.requestHeader),
      );
      return { promptId, seq: BigInt(seq), acceptedNow: isNew };
    },

    async cancelPrompt({ sessionId, promptId }) {
      return { cancelled: await (await registry.get(sessionId)).cancel(promptId) };
    },

    async movePrompt({ sessionId, promptId, position }, context) {
      if (position === 0) throw new DaemonError("INVALID_ARGUMENT", "position: give a number of at least 1");
      const session = await registry.get(sessionId);
      session.input.mustHold(callerOf(context));
      return { moved: await session.move(promptId, position) };
    },

    async interrupt({ sessionId }, context) {
      const session = await registry.get(sessionId);
      session.input.mustHold(callerOf(context));
      const stillQueued = await session.interrupt();
      return { interrupted: stillQueued !== undefined, stillQueued: [...(stillQueued ?? [])] };
    },

    async setModel({ sessionId, model }) {
      const session = await registry.get(sessionId);
      await session.setModel(model);
      return { session: await apiOf(session.record) };
    },

    async setMode({ sessionId, permissionMode }, context) {
      checkMode(permissionMode);
      const session = await registry.get(sessionId);
      await session.setMode(permissionMode, callerOf(context));
      return { session: await apiOf(session.record) };
    },

    async setEffort({ sessionId, effort }) {
      checkEffort(effort);
      const session = await registry.get(sessionId);
      await session.setEffort(effort);
      return { session: await apiOf(session.record) };
    },

    async setMcpServers({ sessionId, serversJson }, context) {
      const session = await registry.get(sessionId);
      await session.handServers(readServers(serversJson), callerOf(context));
      return {};
    },

    async rewind({ sessionId, promptId, dryRun, scope }, context) {
      const by = callerOf(context);
      const session = await registry.get(sessionId);
      const conversation = scope === RewindScope.CONVERSATION || scope === RewindScope.BOTH;
      if (conversation) {
        daemon.agents.mustFork(session.record.agent, "rewind");
        session.input.mustHold(by);
      }
      const files = scope !== RewindScope.CONVERSATION;
      const found = await session.rewind({ promptId, files, conversation, dryRun, by });
      return { ...found, files: [...found.files] };
    },

    async getWorktree({ sessionId }) {
      const worktree = openWorktree((await registry.get(sessionId)).record);
      const { branch, files, patch, isCut, uncommitted, unmerged } = await lookInto(worktree, env());
      return {
        ...toWorktree(worktree),
        currentBranch: branch ?? "",
        files: files.map((file) => ({ ...file })),
        patch,
        patchOmitted: isCut,
        uncommitted: [...uncommitted],
        unmergedCommits: unmerged,
      };
    },

    async endWorktree(request, context) {
      const session = await registry.get(request.sessionId);
      const caller = callerOf(context);
      session.input.mustHold(caller);
      return toWorktree(await session.worktree.end(endingOf(request), env(), caller));
    },

    async listEvents({ sessionId, fromSeq, backwards, pageSize }) {
      await daemon.mustExist(sessionId);
      const { items, more } = await pageOf(store.events, sessionId, Number(fromSeq), backwards, pageSize);
      return { events: items.map(({ body }) => fromBinary(EventSchema, body)), more };
    },

    async listRawLines({ sessionId, fromSeq, backwards, pageSize }) {
      await daemon.mustExist(sessionId);
      const { items, more } = await pageOf(
        store.lines,
        sessionId,
        Number(fromSeq),
        backwards,
        Math.min(pageSize || MAX_RAW_PAGE, MAX_RAW_PAGE),
      );
      return { lines: items.map(({ seq, line }) => ({ seq: BigInt(seq), line })), more };
    },

    watch: (request, context) => watch(daemon, request, context),
    converse: (requests, context) => converse(daemon, requests, context),

    async takeInput({ sessionId, client, force }, context) {
      return (await registry.get(sessionId)).input.take(callerOf(context, client), force);
    },

    async releaseInput({ sessionId, client }, context) {
      (await registry.get(sessionId)).input.release(callerOf(context, client));
      return {};
    },

    async requestInput({ sessionId, client }, context) {
      const { expiresMs, ...grip } = (await registry.get(sessionId)).input.request(callerOf(context, client));
      return { ...grip, ...(expiresMs !== undefined && { expiresAt: timestampFromMs(expiresMs) }) };
    },

    async handOverInput({ sessionId, client, to, refuse }, context) {
      const { input } = await registry.get(sessionId);
      input.answer(callerOf(context, client), to, refuse);
      return { holder: input.holder };
    },
  };
}

/** Reads a page of numbered items, and whether there are more behind it. */
async function pageOf<T extends { readonly seq: number }>(
  stored: Numbered<T>,
  sessionId: string,
  from: number,
  backwards: boolean,
  pageSize: number,
): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
  const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
  const read = backwards ? stored.before : stored.after;
  const items = await read(sessionId, backwards ? from || Number.MAX_SAFE_INTEGER : from, limit);
  const end = items.at(backwards ? 0 : -1);
  return { items, more: end !== undefined && (await read(sessionId, end.seq, 1)).length > 0 };
}
