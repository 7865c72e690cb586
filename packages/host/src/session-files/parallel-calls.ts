import { parentOf } from "@agentwire/local/transcript";
import { blocksOf, type Entry, replyOf } from "./entry.ts";

/**
 * Restores lines beside the conversation: the parts of a reply with parallel calls are separate branches,
 * and so are the results of those calls.
 */
export function withParallelCalls(
  chain: readonly Entry[],
  byUuid: ReadonlyMap<string, Entry>,
): readonly Entry[] {
  const parts = new Map<string, Entry[]>();
  const lastPart = new Map<string, Entry>();
  for (const entry of byUuid.values()) push(parts, replyOf(entry), entry);
  for (const entry of chain) {
    const reply = replyOf(entry);
    if (reply !== undefined) lastPart.set(reply, entry);
  }
  if (lastPart.size === 0) return chain;
  const results = resultsByPart(byUuid);
  const placed = new Set(chain);
  const answered = new Set(chain.flatMap(callsAnswered));
  const added = new Map<Entry, Entry[]>();
  for (const [reply, last] of lastPart) {
    const all = parts.get(reply) ?? [];
    const missing = all.filter((part) => !placed.has(part)).sort(byTime);
    const found = lostResults(all, results, placed, answered).sort(byTime);
    for (const entry of [...missing, ...found]) placed.add(entry);
    added.set(last, [...missing, ...found]);
  }
  return chain.flatMap((entry) => [entry, ...(added.get(entry) ?? [])]);
}

/** Groups results by the part that they follow, the part that they name, and the part that made the call. */
function resultsByPart(byUuid: ReadonlyMap<string, Entry>): ReadonlyMap<string, readonly Entry[]> {
  const caller = callers(byUuid);
  const results = new Map<string, Entry[]>();
  for (const entry of byUuid.values()) {
    if (entry.type !== "user" || parentOf(entry) === undefined) continue;
    const calls = callsAnswered(entry);
    if (calls.length === 0) continue;
    const named = byUuid.get(String(entry.sourceToolAssistantUUID));
    const owners = [named, ...calls.map((call) => caller.get(call))].filter((owner) =>
      isBeside(owner, entry),
    );
    for (const part of new Set([parentOf(entry), ...owners.map((owner) => owner?.uuid)])) {
      push(results, part, entry);
    }
  }
  return results;
}

/** The reply that made each call; undefined if two replies claim it. */
function callers(byUuid: ReadonlyMap<string, Entry>): ReadonlyMap<unknown, Entry | undefined> {
  const found = new Map<unknown, Entry | undefined>();
  for (const entry of byUuid.values()) {
    const reply = replyOf(entry);
    if (reply === undefined) continue;
    for (const { id } of blocksOf(entry, "tool_use")) {
      const before = found.get(id);
      const isFirst = !found.has(id) || (before !== undefined && replyOf(before) === reply);
      found.set(id, isFirst ? entry : undefined);
    }
  }
  return found;
}

function lostResults(
  parts: readonly Entry[],
  results: ReadonlyMap<string, readonly Entry[]>,
  placed: ReadonlySet<Entry>,
  answered: Set<unknown>,
): Entry[] {
  const own = new Set(parts.map(({ uuid }) => uuid));
  const calls = new Set(parts.flatMap((part) => blocksOf(part, "tool_use").map(({ id }) => id)));
  const found = new Set(
    parts.flatMap(({ uuid }) => results.get(uuid) ?? []).filter((each) => !placed.has(each)),
  );
  const direct = new Set([...found].filter((result) => own.has(parentOf(result) ?? "")));
  for (const result of direct) for (const call of callsAnswered(result)) answered.add(call);
  const others = [...found].filter((result) => {
    if (direct.has(result)) return false;
    const open = callsAnswered(result).filter((call) => calls.has(call) && !answered.has(call));
    for (const call of open) answered.add(call);
    return open.length > 0;
  });
  return [...direct, ...others];
}

const isBeside = (owner: Entry | undefined, entry: Entry): owner is Entry =>
  owner !== undefined &&
  Boolean(owner.isSidechain) === Boolean(entry.isSidechain) &&
  owner.agentId === entry.agentId;

const callsAnswered = (entry: Entry): unknown[] =>
  blocksOf(entry, "tool_result").map(({ tool_use_id }) => tool_use_id);

const byTime = (a: Entry, b: Entry) => String(a.timestamp ?? "").localeCompare(String(b.timestamp ?? ""));

function push(lists: Map<string, Entry[]>, key: string | undefined, entry: Entry): void {
  if (key === undefined) return;
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}
