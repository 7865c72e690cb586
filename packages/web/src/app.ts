import { type DecideRequestSchema, type Question, type Session, SessionStatus } from "@agentwire/api";
import { inputStatusOf } from "@agentwire/view/facts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, isSignedOut, textOfError } from "./client.ts";
import type { Drafts } from "./drafts.ts";
import { notifyOf } from "./notify.ts";
import { hrefOf, parseRoute, type Route } from "./route.ts";
import { OpenSession } from "./session/open-session.ts";
import { signIn, type TokenSource } from "./sign-in.ts";
import { type Filter, newState, type State, type Toast } from "./state.ts";

/** What is decided about a permission question, as the daemon takes it. */
export type Decision = NonNullable<MessageInitShape<typeof DecideRequestSchema>["decision"]>;

const POLL_MS = 1500;
const POLL_HIDDEN_MS = 5000;
const PAGE = 60;
const TOAST_MS = 8000;
/** Browsers open six connections to a host, for all tabs together. */
const REST_MS = 15_000;

const STATUSES: Readonly<Record<Filter, readonly SessionStatus[]>> = {
  all: [],
  mine: [],
  asking: [SessionStatus.ASKING],
  running: [SessionStatus.RUNNING, SessionStatus.STARTING, SessionStatus.WAITING, SessionStatus.RECOVERING],
  // A turn that failed leaves its session idle; those come right behind the failed ones.
  failed: [SessionStatus.FAILED, SessionStatus.IDLE],
  archived: [],
};

const hasFailed = ({ status, turnFailure }: Session) => status === SessionStatus.FAILED || turnFailure !== "";

/** Holds the state, does what views ask for, and says when there is something new to show. */
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

  /** The session that is open, for paging. */
  get session(): OpenSession | undefined {
    return this.#session;
  }

  /** Begins with what the address says; a token from a link is used first. */
  async start(token: string | undefined): Promise<void> {
    if (token !== undefined) await this.signIn(token, "link");
    await this.refresh();
    this.#enter(this.#state.route);
  }

  async signIn(token: string, source: TokenSource): Promise<void> {
    const refusal = await signIn(token, source);
    // A used link in a browser that is signed in already does no harm.
    this.#set({ signInError: refusal ?? "", ...(refusal === undefined && { isSignedIn: true }) });
    if (refusal === undefined) {
      await this.refresh();
      this.#enter(this.#state.route);
    }
  }

  /** The address has changed. */
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

  /** Lists only some sessions. */
  filter(filter: Filter): void {
    this.#wanted = PAGE;
    this.#set({ filter });
    void this.refresh();
  }

  showMoreSessions(): void {
    this.#wanted += PAGE;
    void this.refresh();
  }

  /** The page is seen again, or not any more: a stream out of view would keep others from getting one. */
  seen(isSeen: boolean): void {
    clearTimeout(this.#resting);
    if (isSeen) {
      this.#session?.wake();
      void this.refresh();
    } else this.#resting = setTimeout(() => this.#rest(), REST_MS);
  }

  /** Ending a stream gives up the input, or the request for it. */
  #rest(): void {
    const view = this.#session?.view;
    const standing = view?.type === "open" && inputStatusOf(view.facts.input, this.client.isUs).type;
    if (standing === "ours" || standing === "waiting")
      this.#resting = setTimeout(() => this.#rest(), REST_MS);
    else this.#session?.rest();
  }

  /** Asks how everything is, now and from time to time. */
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
        this.client.questions.listQuestions({}),
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

  /** Does something that may fail; the user is told then, and the caller gets undefined. */
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

  /** Decides a permission question; the first decision counts. */
  async decide({ id: questionId }: Question, decision: Decision): Promise<void> {
    await this.#settle(() => this.client.questions.decide({ questionId, decision }));
  }

  /** Answers what the agent asks its user, by the text of each question. */
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
