import { randomUUID } from "node:crypto";
import type { Session } from "@agentwire/api";
import { answerAtTerminal, proposeRule } from "../ask/answer.ts";
import type { OpenQuestions } from "../ask/open-questions.ts";
import type { Person } from "../io.ts";
import { writeFresh } from "../output.ts";
import { plain } from "../render/plain.ts";
import type { Style } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { isNotHolder, toCliError } from "../talk/rpc-error.ts";
import type { Screen } from "../terminal/screen.ts";
import { Terminal } from "../terminal/terminal.ts";
import type { InputRequests } from "./input-requests.ts";

/** What a conversation needs. */
export interface ConversationOptions {
  readonly client: Client;
  readonly session: Session;
  readonly person: Person;
  readonly questions: OpenQuestions;
  readonly requests: InputRequests;
  readonly style: Style;
  readonly home: string;
  /** Called when the person detaches. */
  readonly leave: () => void;
}

/** Handles the input of a user who watches a session: sends lines, answers questions, interrupts the turn. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #terminal: Terminal;
  readonly #ended = new AbortController();
  readonly #history: string[] = [];
  /** Text that was being typed when a question arrived. */
  #typed = "";
  /** A prompt that may or may not have reached the daemon. */
  #unsent: { readonly text: string; readonly key: string } | undefined;
  /** Cancels the line that is being read. */
  #wake = () => {};
  #talking: Promise<void> | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#terminal = new Terminal(options.person, () => void this.#interrupt());
    options.questions.onArrival = () => this.#questionCame();
    options.requests.onArrival = () => this.#questionCame();
  }

  get screen(): Screen {
    return this.#terminal.screen;
  }

  /** Starts reading input; further calls do nothing. */
  begin(): void {
    this.#talking ??= this.#talk();
  }

  async end(): Promise<void> {
    this.#ended.abort();
    this.#wake();
    await this.#talking;
  }

  async #talk(): Promise<void> {
    const { questions, requests } = this.#options;
    while (!this.#ended.signal.aborted) {
      const isFree = this.#typed === "";
      const asker = isFree ? requests.first : undefined;
      const next = isFree ? questions.first : undefined;
      if (asker) await this.#handOver(asker.client, AbortSignal.any([asker.signal, this.#ended.signal]));
      else if (next) {
        const signal = AbortSignal.any([next.signal, this.#ended.signal]);
        if (await this.#answer(next.question, signal)) questions.remove(next.question.id);
      } else await this.#takeLine();
    }
  }

  /** Another client asks for the input that this one holds. */
  async #handOver(asker: string, signal: AbortSignal): Promise<void> {
    const { client, session, requests } = this.#options;
    const answer = await this.#terminal.key(
      `${plain(asker)} asks for the input: [g]ive it  [k]eep it `,
      ["g", "k"],
      signal,
    );
    if (answer?.type === "sentence") {
      this.#typed = answer.text;
      return;
    }
    if (answer)
      await this.#try(() =>
        client.sessions.handOverInput({ sessionId: session.id, to: asker, refuse: answer.key === "k" }),
      );
    requests.end(asker);
  }

  #answer(question: Parameters<typeof answerAtTerminal>[1], signal: AbortSignal): Promise<boolean> {
    const { client, style, session, home } = this.#options;
    const ruleFor = (asked: typeof question) => proposeRule(asked, session.cwd, home);
    const write = (text: string) => {
      this.#typed = text;
    };
    return answerAtTerminal({ client, terminal: this.#terminal, style, ruleFor, write }, question, signal);
  }

  async #takeLine(): Promise<void> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    const options = {
      label: "› ",
      text: this.#typed,
      history: this.#history,
      onChange: (text: string) => {
        this.#typed = text;
        if (text === "") this.#questionCame();
      },
    };
    const answer = await this.#terminal.line(options, AbortSignal.any([waiting.signal, this.#ended.signal]));
    this.#typed = answer.type === "left" ? answer.text : "";
    if (answer.type === "end") this.#leave();
    if (answer.type === "line") await this.#send(answer.text);
  }

  /** Never interrupts someone who is typing: the keys of a sentence must not answer a question. */
  #questionCame(): void {
    const { questions, requests } = this.#options;
    if (this.#typed === "" && (questions.first ?? requests.first)) this.#wake();
  }

  async #send(text: string): Promise<void> {
    const { client, session } = this.#options;
    if (text.trim() === "") return;
    this.#history.push(text);
    // Unchanged text reuses the key: the first attempt may have arrived.
    const idempotencyKey = this.#unsent?.text === text ? this.#unsent.key : randomUUID();
    const isSent = await this.#try(() =>
      client.sessions.sendPrompt({ sessionId: session.id, text, idempotencyKey }),
    );
    this.#unsent = isSent ? undefined : { text, key: idempotencyKey };
    if (!isSent) this.#typed = text;
  }

  async #interrupt(): Promise<void> {
    const { client, session } = this.#options;
    await this.#try(async () => {
      const { interrupted } = await client.sessions.interrupt({ sessionId: session.id });
      if (!interrupted)
        writeFresh(this.screen, this.#options.style.dim("(nothing is running; Ctrl-D detaches)\n"));
    });
  }

  #leave(): void {
    this.#ended.abort();
    this.#options.leave();
  }

  /** Runs a command; shows the error and returns false if it fails. */
  async #try(command: () => Promise<unknown>): Promise<boolean> {
    try {
      await command();
      return true;
    } catch (error) {
      const known = toCliError(error);
      if (!known) throw error;
      writeFresh(this.screen, `${this.#options.style.red(`✗ ${known.message}`)}\n`);
      if (isNotHolder(error)) await this.#askForInput();
      return false;
    }
  }

  /** Asks the holder for the input, which sending requires; repeated requests ask only once. */
  async #askForInput(): Promise<void> {
    const { client, session, style } = this.#options;
    await this.#try(async () => {
      const { taken, holder } = await client.sessions.requestInput({ sessionId: session.id });
      const text = taken
        ? "you have the input now: Enter sends"
        : `${plain(holder)} was asked for the input; Enter sends once you have it`;
      writeFresh(this.screen, style.dim(`(${text})\n`));
    });
  }
}
