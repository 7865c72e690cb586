import { setImmediate as nextTurn } from "node:timers/promises";
import { type Session as ApiSession, EventSchema, type SessionService } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Daemon } from "../daemon.ts";
import { folderName } from "../permission/folder-name.ts";
import { listSessions } from "../session/listing.ts";
import type { SessionRecord } from "../session/record.ts";
import type { SessionFacts } from "../session/session-facts.ts";
import { lookInto, makeWorktree, openWorktree } from "../session/worktree.ts";
import type { Database } from "../store/database.ts";
import { promptText } from "../store/prompt-table.ts";
import { traceContextOf } from "../tracing/trace-context.ts";
import { lastModelOf, usageOfSession } from "../usage/usage-table.ts";
import { callerOf } from "./caller.ts";
import { checkFolder, checkMode, checkNewSession, contentOf, endingOf } from "./check-request.ts";
import { converse } from "./converse.ts";
import { toApiSession, toWorktree } from "./to-api.ts";
import { watch } from "./watch.ts";

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 200;
/** How many sessions are looked up at a time: the largest page would keep other clients waiting. */
const AT_ONCE = 50;
/** Lines may be long, and clients take no answers of any size. */
const MAX_RAW_PAGE = 50;

/** Answers what clients ask about sessions. */
export function sessionService(daemon: Daemon): ServiceImpl<typeof SessionService> {
  const { registry, db, log } = daemon;
  const env = () => daemon.config.env;
  const apiOf = (record: SessionRecord): ApiSession => {
    const live = registry.find(record.id);
    const { first, last } = log.bounds(record.id);
    return toApiSession(live?.facts ?? factsAtRest(db, record), {
      firstSeq: first,
      lastSeq: live?.journal.lastSeq ?? last,
      watchers: live?.journal.subscribers.size ?? 0,
      troubles: live?.troubles,
      lastModel: lastModelOf(db, record.id),
    });
  };

  return {
    async createSession(request, context) {
      checkNewSession(request);
      const cwd = folderName(request.cwd || daemon.config.defaultFolder);
      if (request.trust) await daemon.trustFolder(cwd, callerOf(context));
      const session = await registry.create({
        title: request.title,
        cwd,
        agent: daemon.agents.nameOf(request.agent),
        model: request.model,
        mode: request.permissionMode || "default",
        idempotencyKey: request.idempotencyKey || null,
        makeWorktree: request.worktree && (() => makeWorktree(cwd, request.worktree?.name ?? "", env())),
      });
      if (request.prompt !== "")
        await session.send(request.prompt, callerOf(context), "first", traceContextOf(context.requestHeader));
      return { session: apiOf(session.record) };
    },

    async inspectFolder({ cwd }) {
      if (cwd !== "") checkFolder(cwd);
      return daemon.inspectFolder(folderName(cwd || daemon.config.defaultFolder));
    },

    async listSessions(request) {
      const cwd = request.cwd && folderName(request.cwd);
      const { sessions, nextPageToken } = listSessions(db, { ...request, cwd });
      const page: ApiSession[] = [];
      for (const [at, record] of sessions.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
        page.push(apiOf(record));
      }
      return { sessions: page, nextPageToken };
    },

    async getSession({ sessionId }) {
      const { record, queue: waiting } = registry.get(sessionId);
      const queue = waiting.map(({ id }) => ({ promptId: id, text: promptText(db, id) }));
      return { session: apiOf(record), queue };
    },

    async renameSession({ sessionId, title }) {
      const session = registry.get(sessionId);
      await session.rename(title);
      return { session: apiOf(session.record) };
    },

    async deleteSession({ sessionId }) {
      await registry.remove(sessionId);
      return {};
    },

    async restoreSession({ sessionId }) {
      return { session: apiOf((await registry.restore(sessionId)).record) };
    },

    async forkSession({ sessionId, title }) {
      daemon.agents.mustFork(registry.get(sessionId).record.agent);
      return { session: apiOf((await registry.fork(sessionId, title)).record) };
    },

    async sendPrompt(request, context) {
      const caller = callerOf(context);
      const session = registry.get(request.sessionId);
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
      return { cancelled: await registry.get(sessionId).cancel(promptId) };
    },

    async interrupt({ sessionId }, context) {
      const session = registry.get(sessionId);
      session.input.mustHold(callerOf(context));
      const stillQueued = await session.interrupt();
      return { interrupted: stillQueued !== undefined, stillQueued: [...(stillQueued ?? [])] };
    },

    async setModel({ sessionId, model }) {
      const session = registry.get(sessionId);
      await session.setModel(model);
      return { session: apiOf(session.record) };
    },

    async setMode({ sessionId, permissionMode }, context) {
      checkMode(permissionMode);
      const session = registry.get(sessionId);
      await session.setMode(permissionMode, callerOf(context));
      return { session: apiOf(session.record) };
    },

    async rewind({ sessionId, promptId, dryRun }) {
      const found = await registry.get(sessionId).rewind(promptId, dryRun);
      return { files: [...found.files], insertions: found.insertions, deletions: found.deletions };
    },

    async getWorktree({ sessionId }) {
      const worktree = openWorktree(registry.get(sessionId).record);
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
      const session = registry.get(request.sessionId);
      const caller = callerOf(context);
      session.input.mustHold(caller);
      return toWorktree(await session.worktree.end(endingOf(request), env(), caller));
    },

    async listEvents({ sessionId, fromSeq, backwards, pageSize }) {
      registry.get(sessionId);
      const { items, more } = pageOf(log, sessionId, Number(fromSeq), backwards, pageSize);
      return { events: items.map(({ body }) => fromBinary(EventSchema, body)), more };
    },

    async listRawLines({ sessionId, fromSeq, backwards, pageSize }) {
      registry.get(sessionId);
      const { items, more } = pageOf(
        daemon.rawLog,
        sessionId,
        Number(fromSeq),
        backwards,
        Math.min(pageSize || MAX_RAW_PAGE, MAX_RAW_PAGE),
      );
      return { lines: items.map(({ seq, line }) => ({ seq: BigInt(seq), line })), more };
    },

    watch: (request, context) => watch(registry.get(request.sessionId), request, context),
    converse: (requests, context) => converse(daemon, requests, context),

    async takeInput({ sessionId, client, force }, context) {
      return registry.get(sessionId).input.take(callerOf(context, client), force);
    },

    async releaseInput({ sessionId, client }, context) {
      registry.get(sessionId).input.release(callerOf(context, client));
      return {};
    },

    async requestInput({ sessionId, client }, context) {
      const { expiresMs, ...grip } = registry.get(sessionId).input.request(callerOf(context, client));
      return { ...grip, ...(expiresMs !== undefined && { expiresAt: timestampFromMs(expiresMs) }) };
    },

    async handOverInput({ sessionId, client, to, refuse }, context) {
      const { input } = registry.get(sessionId);
      input.answer(callerOf(context, client), to, refuse);
      return { holder: input.holder };
    },
  };
}

/** A session that is not in memory: nothing is asked or waits in it. */
const factsAtRest = (db: Database, record: SessionRecord): SessionFacts => ({
  record,
  openQuestions: 0,
  queuedPrompts: 0,
  usage: usageOfSession(db, record.id),
});

interface Numbered<T> {
  after(sessionId: string, seq: number, limit: number): readonly T[];
  before(sessionId: string, seq: number, limit: number): readonly T[];
}

/** A page of what is stored under numbers; one more is read to know whether there is more. */
function pageOf<T>(
  stored: Numbered<T>,
  sessionId: string,
  from: number,
  backwards: boolean,
  pageSize: number,
): { readonly items: readonly T[]; readonly more: boolean } {
  const limit = Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE);
  const page = backwards
    ? stored.before(sessionId, from || Number.MAX_SAFE_INTEGER, limit + 1)
    : stored.after(sessionId, from, limit + 1);
  return { items: backwards ? page.slice(-limit) : page.slice(0, limit), more: page.length > limit };
}
