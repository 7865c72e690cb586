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

/** What a conversation is made of. */
export interface ConversationOptions {
  readonly client: Client;
  readonly session: Session;
  readonly person: Person;
  readonly questions: OpenQuestions;
  readonly requests: InputRequests;
  readonly style: Style;
  readonly home: string;
  /** Called when the person wants to go. */
  readonly leave: () => void;
}

/** The input of a user who watches a session: lines to send, questions to answer, the turn to interrupt. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #terminal: Terminal;
  readonly #ended = new AbortController();
  readonly #history: string[] = [];
  /** What was being typed when a question came between. */
  #typed = "";
  /** A prompt that may or may not have arrived. */
  #unsent: { readonly text: string; readonly key: string } | undefined;
  /** Ends the line that is waited for. */
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

  /** Listens from now on; more than once is as good as once. */
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

  /** Somebody asks for the input, which we hold. */
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

  /** Nobody who is typing is interrupted: the keys of a sentence must not answer a question. */
  #questionCame(): void {
    const { questions, requests } = this.#options;
    if (this.#typed === "" && (questions.first ?? requests.first)) this.#wake();
  }

  async #send(text: string): Promise<void> {
    const { client, session } = this.#options;
    if (text.trim() === "") return;
    this.#history.push(text);
    // Sent again unchanged, it is the same prompt: the first try may have arrived.
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

  /** Whether it worked; if not, the person is told why. */
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

  /** Sending needs the input; the holder is asked once, however often we try. */
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
