import {
  collectQuestions,
  type DecideRequestSchema,
  type Question,
  type Session,
  SessionStatus,
} from "@agentwire/api";
import { inputStatusOf } from "@agentwire/view/facts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, isSignedOut, textOfError } from "./client.ts";
import type { Drafts } from "./drafts.ts";
import { notifyOf } from "./notify.ts";
import { hrefOf, parseRoute, type Route } from "./route.ts";
import { OpenSession } from "./session/open-session.ts";
import { signIn, type TokenSource } from "./sign-in.ts";
import { type Filter, newState, type State, type Toast } from "./state.ts";

/** A decision on a permission question, as the daemon accepts it. */
export type Decision = NonNullable<MessageInitShape<typeof DecideRequestSchema>["decision"]>;

const POLL_MS = 1500;
const POLL_HIDDEN_MS = 5000;
const PAGE = 60;
/** Of all sessions together. */
const MAX_QUESTIONS = 100;
const TOAST_MS = 8000;
/** How long a hidden tab keeps its stream. Browsers open only six connections to a host, shared by all tabs. */
const REST_MS = 15_000;

const STATUSES: Readonly<Record<Filter, readonly SessionStatus[]>> = {
  all: [],
  mine: [],
  asking: [SessionStatus.ASKING],
  running: [SessionStatus.RUNNING, SessionStatus.STARTING, SessionStatus.WAITING, SessionStatus.RECOVERING],
  // A failed turn leaves its session idle; idle sessions with a failed turn are listed right after failed sessions.
  failed: [SessionStatus.FAILED, SessionStatus.IDLE],
  archived: [],
};

const hasFailed = ({ status, turnFailure }: Session) => status === SessionStatus.FAILED || turnFailure !== "";

/** Holds the state, carries out what views request, and reports when there is something new to draw. */
export class App {
  readonly client: Client;
  readonly drafts: Drafts;
  readonly #changed: () => void;
  #state: State;
  #session: OpenSession | undefined;
  #polling: ReturnType<typeof setTimeout> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #wanted = PAGE;
  #toasts = 0;

  constructor(client: Client, drafts: Drafts, hash: string, changed: () => void) {
    this.client = client;
    this.drafts = drafts;
    this.#changed = changed;
    this.#state = newState(parseRoute(hash));
  }

  get state(): State {
    return this.#state;
  }

  /** The open session, for paging. */
  get session(): OpenSession | undefined {
    return this.#session;
  }

  /** Signs in with the token of a link, if any, then shows the view that the address names. */
  async start(token: string | undefined): Promise<void> {
    if (token !== undefined) await this.signIn(token, "link");
    await this.refresh();
    this.#enter(this.#state.route);
  }

  async signIn(token: string, source: TokenSource): Promise<void> {
    const refusal = await signIn(token, source);
    // A used link does no harm in a browser that is already signed in.
    this.#set({ signInError: refusal ?? "", ...(refusal === undefined && { isSignedIn: true }) });
    if (refusal === undefined) {
      await this.refresh();
      this.#enter(this.#state.route);
    }
  }

  /** Shows the view of a changed address. */
  navigate(hash: string): void {
    const route = parseRoute(hash);
    this.#set({ route });
    this.#enter(route);
  }

  go(route: Route): void {
    location.hash = hrefOf(route);
  }

  search(search: string): void {
    this.#wanted = PAGE;
    this.#set({ search });
    void this.refresh();
  }

  /** Chooses which sessions are listed. */
  filter(filter: Filter): void {
    this.#wanted = PAGE;
    this.#set({ filter });
    void this.refresh();
  }

  showMoreSessions(): void {
    this.#wanted += PAGE;
    void this.refresh();
  }

  /** Called when the page becomes visible or hidden. A hidden page gives up its stream after a while, since it would keep other tabs from opening one. */
  seen(isSeen: boolean): void {
    clearTimeout(this.#resting);
    if (isSeen) {
      this.#session?.wake();
      void this.refresh();
    } else this.#resting = setTimeout(() => this.#rest(), REST_MS);
  }

  /** Closes the stream, unless this tab holds the input or has requested it: ending the stream would give that up. */
  #rest(): void {
    const view = this.#session?.view;
    const standing = view?.type === "open" && inputStatusOf(view.facts.input, this.client.isUs).type;
    if (standing === "ours" || standing === "waiting")
      this.#resting = setTimeout(() => this.#rest(), REST_MS);
    else this.#session?.rest();
  }

  /** Polls the daemon for the current state, now and at regular intervals. */
  async refresh(): Promise<void> {
    clearTimeout(this.#polling);
    try {
      const { search, filter, route } = this.#state;
      const [list, { questions }, health] = await Promise.all([
        this.client.sessions.listSessions({
          byAttention: true,
          pageSize: this.#wanted,
          search,
          statuses: [...STATUSES[filter]],
          archived: filter === "archived",
          promptedBy: filter === "mine" ? this.client.ourName : "",
        }),
        collectQuestions(this.client.questions, { pageSize: MAX_QUESTIONS }),
        route.view === "health" || route.view === "new" || this.#state.health === undefined
          ? this.client.health.healthDetails({})
          : this.#state.health,
      ]);
      const isNew = !this.#state.isSignedIn;
      notifyOf(questions, this.#state, (id) => this.go({ view: "session", id }));
      this.#set({
        isSignedIn: true,
        isReachable: true,
        ...(search === this.#state.search &&
          filter === this.#state.filter && {
            sessions: filter === "failed" ? list.sessions.filter(hasFailed) : list.sessions,
            hasMoreSessions: list.nextPageToken !== "",
          }),
        waiting: questions,
        health,
      });
      if (isNew) this.#enter(this.#state.route);
    } catch (error) {
      if (isSignedOut(error)) return this.#signedOut();
      this.#set({ isReachable: false });
    }
    clearTimeout(this.#polling);
    this.#polling = setTimeout(() => void this.refresh(), document.hidden ? POLL_HIDDEN_MS : POLL_MS);
  }

  /** Does something that may fail; on failure it shows the error and returns undefined. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await work();
      void this.refresh();
      return answer;
    } catch (error) {
      if (isSignedOut(error)) this.#signedOut();
      else this.say(textOfError(error), "error");
      return undefined;
    }
  }

  /** Decides a permission question; if several clients decide, the first wins. */
  async decide({ id: questionId }: Question, decision: Decision): Promise<void> {
    await this.#settle(() => this.client.questions.decide({ questionId, decision }));
  }

  /** Answers the questions an agent asks its user; answers are keyed by the text of each question. */
  async answer({ id: questionId }: Question, answers: Readonly<Record<string, string>>): Promise<void> {
    await this.#settle(() => this.client.questions.answer({ questionId, answers: { ...answers } }));
  }

  async #settle(work: () => Promise<{ readonly decidedNow: boolean; readonly question?: Question }>) {
    const answer = await this.attempt(work);
    if (answer && !answer.decidedNow)
      this.say(`${answer.question?.decidedBy || "Someone else"} answered first.`);
  }

  say(text: string, tone: Toast["tone"] = "quiet", action?: Toast["action"]): void {
    const id = ++this.#toasts;
    this.#set({ toasts: [...this.#state.toasts, { id, text, tone, ...(action && { action }) }] });
    setTimeout(() => this.dismissToast(id), TOAST_MS);
  }

  dismissToast(id: number): void {
    this.#set({ toasts: this.#state.toasts.filter((toast) => toast.id !== id) });
  }

  #enter(route: Route) {
    if (route.view === "health" || route.view === "new") void this.refresh();
    const id = route.view === "session" && this.#state.isSignedIn ? route.id : undefined;
    if (id === this.#session?.id) return;
    this.#session?.close();
    this.#session = undefined;
    if (id === undefined) return this.#set({ open: undefined });
    const session = new OpenSession(
      this.client,
      id,
      (view) => this.#session === session && this.#set({ open: { id, view } }),
      () => this.#signedOut(),
    );
    this.#session = session;
    this.#set({ open: { id, view: session.view } });
    void session.run();
  }

  #signedOut(): void {
    this.#session?.close();
    this.#session = undefined;
    this.#set({ isSignedIn: false, open: undefined });
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed();
  }
}
