import {
  type Session as ApiSession,
  CompatibilityLevel,
  type DegradationSchema,
  type SearchHitSchema,
  SessionSchema,
  type SharedProcessSchema,
  type Worktree,
  WorktreeSchema,
  WorktreeState,
} from "@agentwire/api";
import type { ProcessLoad } from "@agentwire/host/agent";
import { type CompatibilityLevel as LevelName, printVersion } from "@agentwire/protocol/compatibility";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentHealth } from "../health/agent-health.ts";
import type { Hit } from "../search/search.ts";
import type { FaultCounts } from "../session/fault-monitor.ts";
import type { SessionFacts } from "../session/session-facts.ts";
import { type StoredWorktree, worktreeOf } from "../session/worktree.ts";
import { toUsage } from "../usage/to-usage.ts";

/** A longer event loop delay is noticeable in every session of the process. */
const SLOW_MS = 500;

/** Facts about a session that are not part of its events. */
export interface LiveFacts {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly watchers: number;
  readonly troubles: FaultCounts | undefined;
  readonly lastModel: string;
  /** The node that it belongs to; empty if the store is not shared. */
  readonly node: string;
}

/** Converts a session for clients. */
export function toApiSession({ record, ...facts }: SessionFacts, beside: LiveFacts): ApiSession {
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
    firstSeq: BigInt(beside.firstSeq),
    lastSeq: BigInt(beside.lastSeq),
    openQuestions: facts.openQuestions,
    queuedPrompts: facts.queuedPrompts,
    watchers: beside.watchers,
    inputHolder: record.inputHolder,
    forkedFrom: record.forkedFrom,
    usage: toUsage(facts.usage),
    lastModel: beside.lastModel,
    node: beside.node,
    turnFailure: record.turnFailure,
    pinned: record.pinnedMs !== null,
    effort: record.effort,
    ...(record.archivedMs !== null && { archivedAt: timestampFromMs(record.archivedMs) }),
    ...toWorktree(worktreeOf(record)),
    ...(beside.troubles && { degradation: toDegradation([beside.troubles]) }),
    ...(record.deletedMs !== null && { deletedAt: timestampFromMs(record.deletedMs) }),
  });
}

/** Converts a search hit for clients. */
export const toHit = ({
  record,
  seq,
  time,
  kind,
  excerpt,
}: Hit): MessageInitShape<typeof SearchHitSchema> => ({
  sessionId: record.id,
  seq: BigInt(seq),
  ...(time && { time }),
  kind,
  title: record.title || record.firstPrompt,
  cwd: record.cwd,
  excerpt: excerpt.map((part) => ({ ...part })),
});

const STATES = {
  open: WorktreeState.OPEN,
  merged: WorktreeState.MERGED,
  removed: WorktreeState.REMOVED,
} as const;

/** Converts a worktree for clients. */
export function toWorktree(known: StoredWorktree | undefined): { worktree?: Worktree } {
  if (!known) return {};
  return { worktree: create(WorktreeSchema, { ...known, state: STATES[known.state] }) };
}

/** Sums up messages that were not understood, of one or more sessions. */
export function toDegradation(troubles: readonly FaultCounts[]): MessageInitShape<typeof DegradationSchema> {
  const sum = (pick: (of: FaultCounts) => number) => BigInt(troubles.reduce((all, of) => all + pick(of), 0));
  const names = (pick: (of: FaultCounts) => readonly string[]) => [...new Set(troubles.flatMap(pick))];
  return {
    unknownMessages: sum((of) => of.unknown_types),
    unknownTypes: names((of) => of.unknown_type_names),
    parseErrorsTolerated: sum((of) => of.parse_errors_tolerated),
    parseErrorsFatal: sum((of) => of.parse_errors_fatal),
    missingFeatures: names((of) => of.missing_features),
    truncatedLines: sum((of) => of.truncated),
    noiseLines: sum((of) => of.noise),
  };
}

/** The API's compatibility levels by name. */
const LEVELS: Readonly<Record<LevelName, CompatibilityLevel>> = {
  UNKNOWN: CompatibilityLevel.COMPATIBILITY_UNKNOWN,
  FULLY_COMPATIBLE: CompatibilityLevel.FULLY_COMPATIBLE,
  LIKELY_COMPATIBLE: CompatibilityLevel.LIKELY_COMPATIBLE,
  DEGRADED: CompatibilityLevel.DEGRADED,
  INCOMPATIBLE: CompatibilityLevel.INCOMPATIBLE,
};

/** Converts the state of an agent for clients. */
export function toClaudeCodeStatus({ finding, level, message }: AgentHealth) {
  const version = finding?.agent?.version;
  return {
    version: version ? printVersion(version) : "",
    apiVersion: (version && "apiVersion" in version && version.apiVersion) || "",
    level: LEVELS[level],
    message,
  };
}

/** Converts a shared process for clients. */
export const toSharedProcess = (load: ProcessLoad): MessageInitShape<typeof SharedProcessSchema> => ({
  pid: load.pid ?? 0,
  sessions: load.sessions,
  memoryBytes: BigInt(load.rssBytes),
  eventLoopDelayMs: load.loopDelayMs,
  largestSessionBytes: BigInt(load.largestSessionBytes),
  slow: load.loopDelayMs > SLOW_MS,
});
