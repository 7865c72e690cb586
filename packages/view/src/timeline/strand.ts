import type { CallItem, Item, Stage } from "./item.ts";

/** A block of a reply that is being written. */
export type StreamingBlock = Extract<Item, { readonly stage: Stage }>;

/** The items of one agent in order: the session's agent, or a subagent within a call. */
export class Strand {
  /** The call that contains it; empty for the session's agent. */
  readonly parent: string;
  #items: Item[] = [];
  /** The index of each item, by key. */
  readonly #places = new Map<string, number>();
  /** The keys of blocks that are still being written. */
  readonly #open = new Set<string>();

  constructor(parent: string) {
    this.parent = parent;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Returns the items. Callers compare lists by identity, so the next change works on a copy. */
  publish(): readonly Item[] {
    const shown = this.#items;
    this.#items = [...shown];
    return shown;
  }

  push(item: Item): void {
    this.#places.set(item.key, this.#items.length);
    this.#items.push(item);
    if ("stage" in item && item.stage === "open") this.#open.add(item.key);
  }

  get(key: string): Item | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#items[place];
  }

  replace(item: Item): void {
    const place = this.#places.get(item.key);
    if (place === undefined) return;
    this.#items[place] = item;
    if ("stage" in item && item.stage !== "open") this.#open.delete(item.key);
  }

  /** Appends text to an unfinished block. */
  grow(piece: StreamingBlock): void {
    const known = this.get(piece.key);
    if (known && "stage" in known && known.stage === "open")
      this.replace({ ...known, text: known.text + piece.text });
    else this.push(piece);
  }

  /**
   * Replaces the unfinished blocks from an event number on with a finished block. It takes the place of the first one of its kind, so that
   * the text people are reading does not move; the others are removed.
   */
  finish(finished: Item, from: number) {
    const pieces = [...this.#open].flatMap((key) => this.get(key) ?? []).filter(({ seq }) => seq >= from);
    const own = pieces.find(({ kind }) => kind === (finished.kind === "call" ? "draft" : finished.kind));
    const gone = new Set(pieces.filter((piece) => piece !== own).map(({ key }) => key));
    if (gone.size > 0) this.drop(gone);
    if (!own) return this.push(finished);
    if (finished.kind !== "call") return this.replace({ ...finished, key: own.key });
    const place = this.#places.get(own.key) ?? 0;
    this.#items[place] = finished;
    this.#open.delete(own.key);
    this.#places.delete(own.key);
    this.#places.set(finished.key, place);
  }

  /** Ends the turn: unfinished blocks are marked as cut off, and pending calls as abandoned. */
  settle(): void {
    for (const key of [...this.#open]) {
      const piece = this.get(key);
      if (piece && "stage" in piece) this.replace({ ...piece, stage: "cut" });
    }
    for (const item of this.#items) {
      if (item.kind === "turn") continue;
      if (item.kind === "call" && isPending(item)) this.replace({ ...item, isAbandoned: true });
    }
  }

  /** Removes items. */
  drop(keys: ReadonlySet<string>): void {
    this.#items = this.#items.filter(({ key }) => !keys.has(key));
    for (const key of keys) this.#open.delete(key);
    this.#places.clear();
    for (const [place, { key }] of this.#items.entries()) this.#places.set(key, place);
  }
}

const isPending = ({ result, isAbandoned }: CallItem) => result === undefined && !isAbandoned;
