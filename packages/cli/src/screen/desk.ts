import { randomUUID } from "node:crypto";
import { setImmediate, setTimeout } from "node:timers/promises";
import { type Event, follow, RewindScope, type Session, type Watcher } from "@agentwire/api";
import type { Io } from "../io.ts";
import { oneLine, plain } from "../render/plain.ts";
import type { Client } from "../talk/client.ts";
import { joiningWatcher } from "../talk/joining-watcher.ts";
import { isFinal, isGone, isNotHolder, toCliError } from "../talk/rpc-error.ts";
import type { LiveScreen } from "./live-screen.ts";
import { Lookups } from "./lookups.ts";
import { LostDaemon } from "./lost-daemon.ts";
import { applyNews } from "./model/apply-news.ts";
import { EMPTY_EDITOR } from "./model/editor.ts";
import type { Effect } from "./model/effects.ts";
import { newPicker } from "./model/picker.ts";
import { newScreen, withNote, withSession } from "./model/state.ts";
import { loadHighlighter, needsHighlighter } from "./paint/code-rows.ts";
import { loadTextOrder, needsTextOrder } from "./paint/text-order.ts";
import { clipboardPicture, contentOf } from "./pictures.ts";
import type { PromptHistory } from "./prompt-history.ts";

/** The options of a new session, in addition to its prompt. */
export interface NewSession {
  readonly agent: string;
  readonly trust: boolean;
  readonly worktree: { readonly name: string } | undefined;
}

/** How long to process events before checking for key presses. */
const BUSY_MS = 5;
/** How often to check whether a slow terminal has caught up. */
const SLOW_MS = 10;
/** How many of a session's latest events to show at first. */
const SHOWN_EVENTS = 500n;

const endsTurn = ({ body }: Event) => body.case === "turnComplete" || body.case === "compaction";

/** Loads what painting the events needs, because finished output is never painted again. */
async function prepareFor(events: readonly Event[]): Promise<void> {
  for (const { body } of events) {
    if (body.value === undefined || !("text" in body.value)) continue;
    if (needsHighlighter(body.value.text)) await loadHighlighter();
    if (needsTextOrder(body.value.text)) await loadTextOrder();
  }
}

/** Carries out the screen's requests against the daemon and reports the results back. */
export class Desk {
  readonly #client: Client;
  readonly #watcher: Watcher;
  readonly #screen: LiveScreen;
  readonly #lookups: Lookups;
  readonly #history: PromptHistory;
  readonly #lost: LostDaemon;
  readonly #over = new AbortController();
  #new: NewSession;
  #watching = new AbortController();
  /** Requests run one after the other, in order. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly io: Io;
    readonly client: Client;
    readonly screen: LiveScreen;
    readonly history: PromptHistory;
    readonly fresh: NewSession;
  }) {
    this.#client = options.client;
    this.#watcher = joiningWatcher(options.client.transport);
    this.#screen = options.screen;
    this.#lookups = new Lookups(options.client, options.screen);
    this.#history = options.history;
    this.#lost = new LostDaemon(options.io, options.client, (lost) =>
      this.#screen.update((state) => ({ ...state, lost })),
    );
    this.#new = options.fresh;
  }

  get sessionId(): string | undefined {
    return this.#screen.state.facts?.session.id;
  }

  start(): void {
    this.#lookups.start();
    void this.#lost.getToKnow();
  }

  async stop(): Promise<void> {
    this.#watching.abort();
    this.#over.abort();
    this.#lookups.stop();
    await this.#last;
  }

  /** Carries out one request; an error is shown below the prompt. */
  do(effect: Effect): void {
    // Lookups neither wait for earlier requests nor delay later ones.
    if (effect.type === "find") return void this.#try(() => this.#lookups.find());
    if (effect.type === "list") return void this.#try(() => this.#lookups.list(effect.kind, this.#new.agent));
    this.#last = this.#last.then(() => this.#try(() => this.#run(effect), effect));
  }

  /** Shows a session, starting with its latest events. */
  open(session: Session): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#screen.update((state) => withSession(state, session));
    const afterSeq = session.lastSeq > SHOWN_EVENTS ? session.lastSeq - SHOWN_EVENTS : 0n;
    void this.#follow(session.id, afterSeq, this.#watching.signal);
  }

  async #follow(sessionId: string, afterSeq: bigint, signal: AbortSignal): Promise<void> {
    let restedMs = performance.now();
    try {
      for await (const news of follow(this.#watcher, { sessionId, afterSeq, isFinal }, signal)) {
        if (news.type === "events") await prepareFor(news.events);
        this.#screen.update((state) => applyNews(state, news, Date.now()));
        if (news.type === "lost") void this.#seekDaemon();
        if (news.type === "caught_up") void this.#try(() => this.#lookups.open(sessionId));
        if (news.type === "caught_up" || (news.type === "events" && news.events.some(endsTurn)))
          void this.#lookups.context(sessionId);
        // Stop reading while the terminal is behind: unread events stay in the daemon, not in this process's memory.
        while (this.#screen.isBehind && !signal.aborted) await setTimeout(SLOW_MS);
        // Events arrive without a pause, and keys must not wait until all of them are processed.
        if (performance.now() - restedMs < BUSY_MS) continue;
        await setImmediate();
        restedMs = performance.now();
      }
    } catch (error) {
      if (!signal.aborted) this.#say(toCliError(error)?.message ?? String(error), true);
    }
  }

  async #run(effect: Effect): Promise<void> {
    const { sessions, questions } = this.#client;
    const sessionId = this.sessionId ?? "";
    switch (effect.type) {
      case "send":
        return this.#send(effect.text, effect.pictures);
      case "interrupt":
        if (sessionId !== "") await sessions.interrupt({ sessionId });
        return;
      case "decide": {
        const { decidedNow } = await questions.decide({
          questionId: effect.questionId,
          decision: effect.decision,
        });
        if (!decidedNow) this.#say("someone else has already answered it");
        return;
      }
      case "answer":
        await questions.answer({ questionId: effect.questionId, answers: { ...effect.answers } });
        return;
      case "mode":
        if (sessionId !== "") await sessions.setMode({ sessionId, permissionMode: effect.mode });
        return;
      case "model":
        if (sessionId !== "") await sessions.setModel({ sessionId, model: effect.model });
        return this.#say(
          effect.model === "" ? "the agent chooses the model" : `the model is now ${effect.model}`,
        );
      case "open": {
        const { session } = await sessions.getSession({ sessionId: effect.sessionId });
        if (session) this.open(session);
        return;
      }
      case "new":
        this.#watching.abort();
        this.#screen.update((state) => ({
          ...newScreen({ ...state, model: "", mode: "" }),
          editor: EMPTY_EDITOR,
        }));
        return;
      case "rewind":
        return this.#rewind(sessionId, effect.promptId, effect.scope);
      case "trust":
        this.#new = { ...this.#new, trust: effect.isTrusted };
        return;
      case "paste": {
        const picture = await clipboardPicture();
        if (!picture) return this.#say("no image in the clipboard (tried wl-paste, xclip and pngpaste)");
        this.#screen.update((state) => ({ ...state, pictures: [...state.pictures, picture] }));
        return;
      }
      default:
        return;
    }
  }

  async #send(text: string, pictures: Extract<Effect, { type: "send" }>["pictures"]): Promise<void> {
    const sessionId = this.sessionId ?? (await this.#create());
    const content = pictures.length > 0 ? { contentJson: contentOf(text, pictures) } : { text };
    await this.#client.sessions.sendPrompt({ sessionId, ...content, idempotencyKey: randomUUID() });
    await this.#history.add(text);
  }

  async #create(): Promise<string> {
    const { model, mode: permissionMode, cwd } = this.#screen.state;
    const { agent, trust, worktree } = this.#new;
    const { session } = await this.#client.sessions.createSession({
      cwd,
      agent,
      trust,
      model,
      permissionMode,
      idempotencyKey: randomUUID(),
      ...(worktree && { worktree }),
    });
    if (!session) throw new Error("the daemon created no session");
    this.open(session);
    return session.id;
  }

  async #rewind(sessionId: string, promptId: string, scope: RewindScope | undefined): Promise<void> {
    if (scope === undefined) return this.#offerRewind(sessionId, promptId);
    const { sessions } = this.#client;
    const { files, prompts, text, ...lines } = await sessions.rewind({ sessionId, promptId, scope });
    const done = [
      ...(prompts > 0 ? [`took back ${prompts === 1 ? "one prompt" : `${prompts} prompts`}`] : []),
      ...(files.length > 0 ? [`put back ${this.#changed(files, lines)}`] : []),
    ];
    this.#say(done.length === 0 ? "no files needed restoring" : done.join(", "));
    if (text !== "") this.#restoreText(text);
  }

  /** Offers the ways to rewind, with what each would do. */
  async #offerRewind(sessionId: string, promptId: string): Promise<void> {
    const { sessions } = this.#client;
    const looked = { sessionId, promptId, dryRun: true };
    const talk = await sessions.rewind({ ...looked, scope: RewindScope.CONVERSATION }).catch(toCliError);
    const found = await sessions.rewind({ ...looked, scope: RewindScope.FILES }).catch(toCliError);
    const count = talk && "prompts" in talk ? talk.prompts : 0;
    const files = found && "files" in found ? found.files : [];
    // Neither is possible: the reason is more useful than a list.
    if (count === 0 && files.length === 0)
      return this.#say(
        found && "message" in found ? found.message : "no files have changed since that prompt",
      );
    const conversation =
      count > 0 ? `${count === 1 ? "this prompt" : `${count} prompts`} and what followed` : "";
    const changed = files.length > 0 && found && "files" in found ? this.#changed(files, found) : "";
    const options: readonly (readonly [RewindScope, string, string, boolean])[] = [
      [
        RewindScope.BOTH,
        "conversation and files",
        `${conversation}; ${changed}`,
        count > 0 && files.length > 0,
      ],
      [RewindScope.CONVERSATION, "conversation", `${conversation}; files stay`, count > 0],
      [RewindScope.FILES, "files", `${changed}; the conversation is kept`, files.length > 0],
    ];
    const entries = [
      ...options
        .filter(([, , , isPossible]) => isPossible)
        .map(([scope, label, detail]) => ({
          label,
          detail: oneLine(detail, 200),
          value: `${scope} ${promptId}`,
        })),
      { label: "change nothing", detail: "", value: "" },
    ];
    this.#screen.update((state) => ({
      ...state,
      picker: newPicker("rewindScope", "What to rewind?", entries),
    }));
  }

  /** A short description of changed files. */
  #changed(
    files: readonly string[],
    { insertions, deletions }: { readonly insertions: number; readonly deletions: number },
  ): string {
    const [first = "", ...others] = files;
    const name = first.replace(`${this.#screen.state.cwd}/`, "");
    return `${others.length === 0 ? plain(name) : `${files.length} files`} (+${insertions} −${deletions})`;
  }

  #say(text: string, isBad = false): void {
    this.#screen.update((state) => withNote(state, text, Date.now(), isBad));
  }

  async #try(command: () => Promise<void>, effect?: Effect): Promise<void> {
    try {
      await command();
    } catch (error) {
      const known = toCliError(error);
      this.#say(known ? [known.message, known.hint].filter(Boolean).join(": ") : String(error), true);
      if (effect?.type === "send") this.#restoreText(effect.text);
      if (isGone(error)) void this.#seekDaemon();
      if (isNotHolder(error) && this.sessionId !== undefined) await this.#askForInput(this.sessionId);
    }
  }

  /** Brings a lost daemon back, if that is up to us. */
  async #seekDaemon(): Promise<void> {
    const isStarted = await this.#lost.seek(this.#over.signal);
    if (isStarted === undefined) return;
    // A session that is being followed reports itself when it is back.
    if (this.sessionId === undefined) this.#screen.update((state) => ({ ...state, lost: undefined }));
    if (isStarted) this.#say("the daemon ended unexpectedly and was started again");
  }

  /** Restores text that could not be sent, unless something else has been typed. */
  #restoreText(text: string): void {
    this.#screen.update((state) =>
      state.editor.text === "" ? { ...state, editor: { text, at: text.length } } : state,
    );
  }

  async #askForInput(sessionId: string): Promise<void> {
    const { taken, holder } = await this.#client.sessions.requestInput({ sessionId });
    this.#say(
      taken
        ? "you have the input now: Enter sends"
        : `${plain(holder)} was asked for the input; Enter sends once you have it`,
    );
  }
}
