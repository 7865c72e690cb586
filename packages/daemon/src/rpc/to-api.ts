import { type Session as ApiSession, SessionSchema } from "@agentwire/api";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SessionRecord } from "../session/record.ts";

/** What of a session changes from moment to moment. */
export interface LiveFacts {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly openQuestions: number;
  readonly queuedPrompts: number;
  readonly watchers: number;
  readonly inputHolder: string;
}

/** A session as clients see it. */
export function toApiSession(record: SessionRecord, facts: LiveFacts): ApiSession {
  return create(SessionSchema, {
    id: record.id,
    title: record.title || record.firstPrompt,
    cwd: record.cwd,
    agent: record.agent,
    model: record.model,
    permissionMode: record.mode,
    status: record.status,
    createdAt: timestampFromMs(record.createdMs),
    updatedAt: timestampFromMs(record.updatedMs),
    firstSeq: BigInt(facts.firstSeq),
    lastSeq: BigInt(facts.lastSeq),
    openQuestions: facts.openQuestions,
    queuedPrompts: facts.queuedPrompts,
    watchers: facts.watchers,
    inputHolder: facts.inputHolder,
    forkedFrom: record.forkedFrom,
    ...(record.deletedMs !== null && { deletedAt: timestampFromMs(record.deletedMs) }),
  });
}
