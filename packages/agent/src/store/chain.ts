import { linesTo, relinkedParents } from "@agentwire/local/transcript";
import { blocksOf, type Entry, isBoundary, isToolResult, messageOf } from "./entry.ts";

/** Links the lines of a session file into the conversation they form. */
export class Chain {
  readonly #entries: readonly Entry[];
  readonly #byUuid = new Map<string, Entry>();
  /** The previous line of each line in the file: the chain continues there if a parent is missing. */
  readonly #before = new Map<string, Entry>();
  readonly #parents: ReadonlyMap<string, string | undefined>;

  constructor(stored: readonly Entry[]) {
    for (const entry of stored) this.#byUuid.set(entry.uuid, entry);
    this.#entries = [...this.#byUuid.values()];
    this.#entries.forEach((entry, i) => {
      const before = this.#entries[i - 1];
      if (before) this.#before.set(entry.uuid, before);
    });
    this.#parents = relinkedParents(new Map(this.#entries.map(({ uuid, line }) => [uuid, line])));
  }

  /** The newest conversation: the lines that lead to the last one. */
  newest(): Entry[] {
    const lasting = this.#entries.filter(({ type }) => type !== "progress");
    const followed = new Set(lasting.map(({ uuid }) => this.#parents.get(uuid)));
    const seen = new Set<Entry>();
    for (const entry of lasting.reverse()) {
      if (followed.has(entry.uuid)) continue;
      const chain = this.#walk(entry, seen);
      if (chain.some(isMessage)) return this.#withParallelCalls(chain);
    }
    return [];
  }

  /** The lines that lead to a line on any branch; none if it is not in the file. */
  upTo(uuid: string): Entry[] {
    const entry = this.#byUuid.get(uuid);
    return entry ? this.#walk(entry, new Set()) : [];
  }

  #walk(leaf: Entry, seen: Set<Entry>): Entry[] {
    let summarized = false;
    return linesTo(
      leaf,
      (entry) => {
        summarized ||= entry.line.isCompactSummary === true;
        // After a crash between a boundary and its summary, the conversation before the boundary still counts.
        return isBoundary(entry) && !summarized ? this.#summarizedBy(entry) : this.#parentOf(entry);
      },
      seen,
    );
  }

  #summarizedBy(boundary: Entry): Entry | undefined {
    const { logicalParentUuid } = boundary.line;
    const last = typeof logicalParentUuid === "string" ? this.#byUuid.get(logicalParentUuid) : undefined;
    return last ?? this.#before.get(boundary.uuid);
  }

  #parentOf(entry: Entry): Entry | undefined {
    const parent = this.#parents.get(entry.uuid);
    return parent === undefined ? undefined : (this.#byUuid.get(parent) ?? this.#before.get(entry.uuid));
  }

  /** Parallel calls may be separate branches of the message that made them. */
  #withParallelCalls(chain: readonly Entry[]): Entry[] {
    const onChain = new Set(chain.map(({ uuid }) => uuid));
    const lastOfMessage = new Map<unknown, string>();
    const ownerOfCall = new Map<unknown, unknown>();
    for (const entry of chain) if (idOf(entry)) lastOfMessage.set(idOf(entry), entry.uuid);
    const added = new Map<string | undefined, Entry[]>();
    for (const entry of this.#entries) {
      const owner = isToolResult(entry) ? ownerOfCall.get(callsAnswered(entry)[0]) : idOf(entry);
      const place = lastOfMessage.get(owner);
      if (place === undefined) continue;
      for (const { type, id } of blocksOf(entry)) if (type === "tool_use") ownerOfCall.set(id, owner);
      if (onChain.has(entry.uuid)) continue;
      const beside = added.get(place);
      if (beside) beside.push(entry);
      else added.set(place, [entry]);
    }
    return added.size === 0
      ? [...chain]
      : chain.flatMap((entry) => [entry, ...(added.get(entry.uuid) ?? [])]);
  }
}

const isMessage = ({ type }: Entry) => type === "user" || type === "assistant";

/** The API's id of the message that a line is a block of. */
const idOf = (entry: Entry) => (entry.type === "assistant" ? messageOf(entry).id : undefined);

const callsAnswered = (entry: Entry) =>
  blocksOf(entry).flatMap(({ type, tool_use_id }) => (type === "tool_result" ? [tool_use_id] : []));
