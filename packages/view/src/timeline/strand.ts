import type { CallItem, Item, Stage } from "./item.ts";

/** A piece of a reply that is being written. */
export type StreamingBlock = Extract<Item, { readonly stage: Stage }>;

/** What one agent did, in order: the session's own, or a subagent's inside of a call. */
export class Strand {
  /** The call that it is inside of; empty for the session's own. */
  readonly parent: string;
  #items: Item[] = [];
  /** Where each item is, by its key. */
  readonly #places = new Map<string, number>();
  /** The keys of pieces that are still being written. */
  readonly #open = new Set<string>();

  constructor(parent: string) {
    this.parent = parent;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Those who look at the items compare them: the next change works on a copy. */
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

  /** Adds text to a piece. */
  grow(piece: StreamingBlock): void {
    const known = this.get(piece.key);
    if (known && "stage" in known && known.stage === "open")
      this.replace({ ...known, text: known.text + piece.text });
    else this.push(piece);
  }

  /**
   * A finished block comes for the pieces of its reply from a number on: it takes the place of the first of its own kind, so that what
   * people look at stays where it is, and the rest goes.
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

  /** The turn has ended: what was being written stays as it is, and calls get no result any more. */
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

  /** Takes items out. */
  drop(keys: ReadonlySet<string>): void {
    this.#items = this.#items.filter(({ key }) => !keys.has(key));
    for (const key of keys) this.#open.delete(key);
    this.#places.clear();
    for (const [place, { key }] of this.#items.entries()) this.#places.set(key, place);
  }
}

const isPending = ({ result, isAbandoned }: CallItem) => result === undefined && !isAbandoned;
