import { randomUUID } from "node:crypto";
import { isBoundary, isLinked, parentOf } from "@agentwire/local/transcript";
import { isJsonObject, type JsonObject } from "@agentwire/protocol";
import { HostError } from "../errors.ts";
import type { SessionStoreEntry } from "../sdk/sessions.ts";
import { type Entry, isMessage } from "./entry.ts";

/** How to make a fork. */
export interface ForkOptions {
  readonly sessionId: string;
  readonly forkId: string;
  /** The last message of the fork; undefined: all are copied. */
  readonly upTo: string | undefined;
  /** The time of the fork's last line, which makes it the newest session. */
  readonly timestamp: string;
}

/** Fields of the old session that do not apply to the new one. */
const NOT_INHERITED = [
  "teamName",
  "agentName",
  "sessionKind",
  "slug",
  "sourceToolAssistantUUID",
  "summarizedTurnPromptUuids",
  "droppedPromptUuids",
  "turnAttributionKey",
];

/** The lines of a conversation with new ids; progress lines are left out, and links to them lead to the line before. */
export function forkedEntries(stored: readonly JsonObject[], order: ForkOptions): SessionStoreEntry[] {
  const entries = upTo(
    stored.filter(isLinked).filter(({ isSidechain }) => !isSidechain),
    order,
  );
  const byUuid = new Map(entries.map((entry) => [entry.uuid, entry]));
  const renamed = new Map(entries.map(({ uuid }) => [uuid, randomUUID() as string]));
  const lasting = entries.filter(({ type }) => type !== "progress");
  return lasting.map((entry, i) => {
    const { logicalParentUuid } = entry;
    const kept = Object.entries(entry).filter(([key]) => !NOT_INHERITED.includes(key));
    return {
      ...Object.fromEntries(kept),
      ...withMetadata(entry, renamed),
      type: entry.type,
      uuid: renamed.get(entry.uuid) ?? randomUUID(),
      parentUuid: renamed.get(lastingParent(entry, byUuid) ?? "") ?? null,
      ...(typeof logicalParentUuid === "string" && {
        logicalParentUuid: renamed.get(logicalParentUuid) ?? null,
      }),
      sessionId: order.forkId,
      timestamp: i === lasting.length - 1 ? order.timestamp : (entry.timestamp as string),
      isSidechain: false,
      forkedFrom: { sessionId: order.sessionId, messageUuid: entry.uuid },
    };
  });
}

function upTo(entries: readonly Entry[], { upTo, sessionId }: ForkOptions): readonly Entry[] {
  if (!upTo) return entries;
  const named = entries.findIndex(({ uuid }) => uuid === upTo);
  const last = named >= 0 ? named : entries.findIndex((entry) => sourceOf(entry) === upTo);
  if (last < 0) {
    throw new HostError("invalid_option", `Message ${upTo} not found in session ${sessionId}`);
  }
  return withoutOpenBoundary(entries.slice(0, last + 1));
}

/** A boundary without its summary would be taken as the end of everything before it. */
function withoutOpenBoundary(entries: readonly Entry[]): readonly Entry[] {
  const said = entries.findLastIndex(isMessage);
  const boundary = entries.findIndex((entry, i) => i > said && isBoundary(entry));
  const before = boundary < 0 ? [] : entries.slice(0, boundary);
  return before.some(({ type }) => type !== "progress") ? before : entries;
}

function lastingParent(entry: Entry, byUuid: ReadonlyMap<string, Entry>): string | undefined {
  const seen = new Set<string>();
  let uuid = parentOf(entry);
  while (uuid !== undefined && !seen.has(uuid)) {
    const parent = byUuid.get(uuid);
    if (parent?.type !== "progress") return uuid;
    seen.add(uuid);
    uuid = parentOf(parent);
  }
  return undefined;
}

/** The id of the prompt that a queued one was made from. */
function sourceOf({ attachment }: Entry): unknown {
  return isJsonObject(attachment) ? attachment.source_uuid : undefined;
}

/** The messages that a summary preserved have new ids as well. */
function withMetadata({ compactMetadata }: Entry, renamed: ReadonlyMap<string, string>): JsonObject {
  if (!isJsonObject(compactMetadata)) return {};
  const rename = (value: unknown): unknown => {
    if (typeof value === "string") return renamed.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    return value;
  };
  const fresh = (part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).map(([key, value]) => [key, rename(value)]))
      : part;
  const { preservedSegment, preservedMessages } = compactMetadata;
  return {
    compactMetadata: {
      ...compactMetadata,
      ...(preservedSegment !== undefined && { preservedSegment: fresh(preservedSegment) }),
      ...(preservedMessages !== undefined && { preservedMessages: fresh(preservedMessages) }),
    },
  };
}
