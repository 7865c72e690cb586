import { type Event, follow, type News, type Session } from "@agentwire/api";
import { type Facts, withEarlier, withEvents, withoutQuestion } from "@agentwire/view/facts";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { isFinal, isSignedOut, textOfError } from "../client.ts";
import { type Excerpt, newExcerpt, PAGE, withLive, withNewer, withOlder } from "./excerpt.ts";
import { loadSession, type Reader } from "./load-session.ts";

/** How current the view is. `behind` is shown to the user, because the view may be out of date. */
export type SyncState = "live" | "behind" | "lost";

/** A session as shown in the console. */
export type SessionView =
  | { readonly type: "loading" }
  | { readonly type: "missing"; readonly reason: string }
  | {
      readonly type: "open";
      readonly facts: Facts;
      readonly excerpt: Excerpt;
      readonly nearness: SyncState;
      /** How many events arrived while an earlier part of the history was shown. */
      readonly unseen: number;
      readonly isPaging: boolean;
    };

type Shown = Extract<SessionView, { type: "open" }>;

/** An event older than this on arrival means that the view has not caught up yet. */
const LATE_MS = 1500;

/** Keeps the view of a session up to date until it is closed. */
export class OpenSession {
  readonly id: string;
  readonly #client: Reader;
  readonly #changed: (view: SessionView) => void;
  readonly #onSignedOut: () => void;
  readonly #end = new AbortController();
  #view: SessionView = { type: "loading" };
  #watching = new AbortController();
  /** Set while resting; resolves on `wake()`. */
  #awake: Promise<void> | undefined;
  #wake = () => {};

  constructor(client: Reader, id: string, changed: (view: SessionView) => void, onSignedOut: () => void) {
    this.#client = client;
    this.id = id;
    this.#changed = changed;
    this.#onSignedOut = onSignedOut;
  }

  get view(): SessionView {
    return this.#view;
  }

  /** Loads the latest part of the session, then follows it; resolves when it is closed. */
  async run(): Promise<void> {
    try {
      await this.#load();
      while (!this.#end.signal.aborted) await this.#follow();
    } catch (error) {
      if (this.#end.signal.aborted) return;
      if (isSignedOut(error)) this.#onSignedOut();
      else this.#show({ type: "missing", reason: textOfError(error) });
    }
  }

  close(): void {
    this.#end.abort();
    this.wake();
  }

  /** Closes the stream until `wake()` is called. */
  rest(): void {
    if (this.#awake) return;
    this.#awake = new Promise((resolve) => {
      this.#wake = resolve;
    });
    this.#watching.abort();
  }

  /** Continues after the last received event. */
  wake(): void {
    this.#awake = undefined;
    this.#wake();
  }

  /** Updates the session's metadata, such as its title. */
  changed(session: Session): void {
    this.#update((view) => ({ ...view, facts: { ...view.facts, session } }));
  }

  /** Loads the page before the excerpt. */
  async older(): Promise<void> {
    await this.#page(
      ({ hasOlder }) => hasOlder,
      async ({ firstSeq }) => {
        const page = await this.#list(BigInt(firstSeq), true);
        this.#update((view) =>
          view.excerpt.hasNewer ? view : { ...view, facts: withEarlier(view.facts, page.events) },
        );
        return (excerpt) => withOlder(excerpt, page.events, page.more);
      },
    );
  }

  /** Loads the page after the excerpt. */
  async newer(): Promise<void> {
    await this.#page(
      ({ hasNewer }) => hasNewer,
      async ({ lastSeq }) => {
        const page = await this.#list(BigInt(lastSeq), false);
        return (excerpt) => withNewer(excerpt, page.events, page.more);
      },
    );
  }

  /** Shows the part of the history around an event number. */
  async jump(seq: number): Promise<void> {
    await this.#page(
      () => true,
      async () => {
        const [before, after] = await Promise.all([
          this.#list(BigInt(seq), true, PAGE / 2),
          this.#list(BigInt(Math.max(0, seq - 1)), false),
        ]);
        return () => newExcerpt([...before.events, ...after.events], before.more, after.more);
      },
    );
  }

  /** Returns to the end of the history. */
  async latest(): Promise<void> {
    await this.#page(
      ({ hasNewer }) => hasNewer,
      async () => {
        const page = await this.#list(0n, true);
        return () => newExcerpt(page.events, page.more, false);
      },
    );
  }

  /** Removes a settled question that the user has dismissed. */
  dismiss(questionId: string): void {
    this.#update((view) => ({ ...view, facts: withoutQuestion(view.facts, questionId) }));
  }

  /** Follows the session until it is closed or put to rest. */
  async #follow(): Promise<void> {
    await this.#awake;
    const view = this.#view;
    if (view.type !== "open" || this.#end.signal.aborted) return this.close();
    this.#watching = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, this.#watching.signal]);
    const options = { sessionId: this.id, afterSeq: BigInt(view.facts.seq), isFinal };
    for await (const news of follow(this.#client.sessions, options, signal)) {
      // A backup was restored, so the view shows a history that no longer exists.
      if (news.type === "notice" && news.notice.code === "restored") return this.#load();
      this.#hear(news);
    }
    this.#update((shown) => ({ ...shown, nearness: "behind" }));
  }

  async #load(): Promise<void> {
    const loaded = await loadSession(this.#client, this.id, this.#end.signal);
    this.#show({ type: "open", ...loaded, nearness: "behind", unseen: 0, isPaging: false });
  }

  #hear(news: News): void {
    this.#update((view) => {
      switch (news.type) {
        case "lost":
          return { ...view, nearness: "lost" };
        case "notice":
          return { ...view, nearness: "behind" };
        case "caught_up":
          return { ...view, nearness: "live" };
        case "gap":
          return { ...view, excerpt: { ...view.excerpt, hasOlder: false } };
        case "events":
          return {
            ...view,
            facts: withEvents(view.facts, news.events),
            excerpt: withLive(view.excerpt, news.events),
            unseen: view.excerpt.hasNewer ? view.unseen + news.events.length : 0,
            nearness: nearer(view.nearness, news.events),
          };
      }
    });
  }

  /** Loads one page at a time; `load` returns how to change the excerpt, which may have changed while the page was loading. */
  async #page(
    isWanted: (excerpt: Excerpt) => boolean,
    load: (excerpt: Excerpt) => Promise<(excerpt: Excerpt) => Excerpt>,
  ): Promise<void> {
    const before = this.#view;
    if (before.type !== "open" || before.isPaging || !isWanted(before.excerpt)) return;
    this.#update((view) => ({ ...view, isPaging: true }));
    try {
      const change = await load(before.excerpt);
      this.#update((view) => paged(view, change(view.excerpt)));
    } catch {
      // Connection failures are handled elsewhere; scrolling further tries again.
    } finally {
      this.#update((view) => ({ ...view, isPaging: false }));
    }
  }

  #list(fromSeq: bigint, backwards: boolean, pageSize = PAGE) {
    const { signal } = this.#end;
    return this.#client.sessions.listEvents({ sessionId: this.id, fromSeq, backwards, pageSize }, { signal });
  }

  #update(change: (view: Shown) => Shown): void {
    if (this.#view.type === "open") this.#show(change(this.#view));
  }

  #show(view: SessionView): void {
    this.#view = view;
    if (!this.#end.signal.aborted) this.#changed(view);
  }
}

/** Accounts for live events that arrived while the page was loading: they come after it. */
function paged(view: Shown, excerpt: Excerpt): Shown {
  const hasNewer = excerpt.hasNewer || excerpt.lastSeq < view.facts.seq;
  return { ...view, excerpt: { ...excerpt, hasNewer }, unseen: hasNewer ? view.unseen : 0 };
}

function nearer(nearness: SyncState, events: readonly Event[]): SyncState {
  if (nearness === "lost") return "behind";
  const time = events.at(-1)?.time;
  const isFresh = time !== undefined && Date.now() - timestampMs(time) < LATE_MS;
  return isFresh ? "live" : nearness;
}
