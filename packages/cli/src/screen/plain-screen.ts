import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { type Event, follow, type Question, type Session, type UserQuestion } from "@agentwire/api";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { allowAlways, allowForSession, allowOnce, type Decision, deny, proposeRule } from "../ask/answer.ts";
import { chooseOptions } from "../ask/ask-user.ts";
import { OpenQuestions } from "../ask/open-questions.ts";
import type { Io, Person } from "../io.ts";
import { type Output, outputOf, put, writeFresh } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import { plain } from "../render/plain.ts";
import { printElicitation } from "../render/question-line.ts";
import { styleFor } from "../render/style.ts";
import { printWholeCall } from "../render/tool-call.ts";
import type { Client } from "../talk/client.ts";
import { isFinal, isGone, toCliError } from "../talk/rpc-error.ts";
import { LostDaemon } from "./lost-daemon.ts";

/** Options of the plain screen. */
export interface PlainScreenOptions {
  readonly io: Io;
  readonly person: Person;
  readonly client: Client;
  /** The session to continue; if undefined, the first prompt creates one. */
  readonly session: Session | undefined;
  readonly create: () => Promise<Session>;
  readonly home: string;
}

const ASKED: ReadonlySet<string | undefined> = new Set(["permissionAsked", "questionAsked"]);
const DELTAS: ReadonlySet<string | undefined> = new Set([
  "textDelta",
  "thinkingDelta",
  "toolInputDelta",
  "toolOutputDelta",
]);

/**
 * Shows the conversation line by line, for screen readers and simple terminals: only finished texts, no animation or redrawing, and
 * line editing by the terminal itself.
 */
export async function runPlainScreen(options: PlainScreenOptions): Promise<number> {
  const screen = new PlainScreen(options);
  await screen.run();
  return EXIT_CODES.done;
}

function howToType({ options, onlyOptions, optional }: UserQuestion): string {
  const how =
    options.length === 0
      ? "Type an answer"
      : onlyOptions
        ? "Type a number"
        : "Type a number, or your own words";
  return optional ? `${how}, or nothing to skip it.` : `${how}.`;
}

class PlainScreen {
  readonly #options: PlainScreenOptions;
  readonly #output: Output;
  readonly #printer = new EventPrinter({ style: styleFor({}, {}), prompts: false });
  readonly #questions = new OpenQuestions();
  readonly #over = new AbortController();
  readonly #lost: LostDaemon;
  /** What was said last about the lost daemon. */
  #saidOfDaemon = "";
  #session: Session | undefined;
  /** The question that was announced last. */
  #announced = "";
  /** The answers so far to a question of several parts. */
  #answers: Readonly<Record<string, string>> = {};

  constructor(options: PlainScreenOptions) {
    this.#options = options;
    this.#output = outputOf(options.person.screen);
    this.#lost = new LostDaemon(options.io, options.client, (text) => this.#sayOfDaemon(text));
  }

  async run(): Promise<void> {
    const { person, session } = this.#options;
    const lines = createInterface({ input: person.keys, terminal: false });
    const interrupt = () => void this.#interrupt(lines);
    process.on("SIGINT", interrupt);
    this.#say("Type a prompt and press Enter. Ctrl-C interrupts a turn, Ctrl-D leaves.");
    void this.#lost.getToKnow();
    if (session) this.#follow(session);
    try {
      for await (const line of lines) await this.#try(() => this.#take(line));
    } finally {
      process.off("SIGINT", interrupt);
      this.#over.abort();
    }
  }

  /** Handles a line: it answers the open question, else it is a prompt. */
  async #take(line: string): Promise<void> {
    const next = this.#questions.first;
    if (next) return this.#answer(next.question, line.trim());
    if (line.trim() === "") return;
    this.#session ?? this.#follow(await this.#options.create());
    const sessionId = this.#session?.id ?? "";
    await this.#options.client.sessions.sendPrompt({ sessionId, text: line, idempotencyKey: randomUUID() });
  }

  #follow(session: Session): void {
    this.#session = session;
    void this.#show(session).catch((error: unknown) =>
      this.#say(toCliError(error)?.message ?? String(error)),
    );
  }

  async #show({ id: sessionId, lastSeq: afterSeq }: Session): Promise<void> {
    const { client } = this.#options;
    for await (const news of follow(client.sessions, { sessionId, afterSeq, isFinal }, this.#over.signal)) {
      if (news.type === "lost") {
        this.#say("Lost the daemon; waiting for it to come back.");
        void this.#seekDaemon();
      }
      if (news.type === "events") for (const event of news.events) this.#handle(event);
    }
  }

  async #seekDaemon(): Promise<void> {
    const isStarted = await this.#lost.seek(this.#over.signal);
    this.#saidOfDaemon = "";
    if (isStarted !== undefined) this.#say("The daemon is back.");
  }

  #sayOfDaemon(text: string): void {
    if (text === this.#saidOfDaemon) return;
    this.#saidOfDaemon = text;
    this.#say(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  }

  #handle(event: Event): void {
    if (DELTAS.has(event.body.case)) return;
    // Questions are announced separately.
    if (!ASKED.has(event.body.case))
      put({ said: this.#output, aside: this.#output }, this.#printer.print(event));
    this.#questions.handle(event);
    this.#announce();
  }

  /** Announces the open question, once. */
  #announce(): void {
    const question = this.#questions.first?.question;
    const part = Object.keys(this.#answers).length;
    if (!question || `${question.id} ${part}` === this.#announced) return;
    this.#announced = `${question.id} ${part}`;
    const asked = question.userQuestions[part];
    if (asked) {
      const options = asked.options.map(({ label }, index) => `${index + 1}: ${plain(label)}`);
      const asks = question.elicitation && part === 0 ? [printElicitation(question.elicitation)] : [];
      this.#say(["Question.", ...asks, plain(asked.question), ...options, howToType(asked)].join("\n"));
      return;
    }
    const rule = this.#ruleFor(question);
    const keep = rule === "" ? "" : ` s for this session or a for always (${plain(rule)}),`;
    this.#say(
      `Question: may ${plain(question.toolName)} run?\n${printWholeCall(question.toolName, question.inputJson)}\nType y for yes,${keep} n for no, or why not.`,
    );
  }

  async #answer(question: Question, line: string): Promise<void> {
    const { questions } = this.#options.client;
    const asked = question.userQuestions[Object.keys(this.#answers).length];
    if (line === "" && !asked?.optional) return this.#say("Type an answer.");
    if (asked) {
      const chosen = chooseOptions(asked, line);
      if (chosen === undefined) return this.#say("Type the number of an option.");
      const answers = { ...this.#answers, [asked.question]: chosen };
      const isWhole = Object.keys(answers).length >= question.userQuestions.length;
      this.#answers = isWhole ? {} : answers;
      if (!isWhole) return this.#announce();
      // If the answer is rejected, ask all parts again.
      this.#announced = "";
      await questions.answer({ questionId: question.id, answers }).catch((error: unknown) => {
        this.#announce();
        throw error;
      });
    } else await questions.decide({ questionId: question.id, decision: this.#decisionOf(question, line) });
    this.#questions.remove(question.id);
    this.#announce();
  }

  #decisionOf(question: Question, line: string): Decision {
    const rule = this.#ruleFor(question);
    const word = line.toLowerCase();
    if (word === "y" || word === "yes") return allowOnce();
    if (word === "s" && rule !== "") return allowForSession(rule);
    if (word === "a" && rule !== "") return allowAlways(rule, "project");
    return deny(word === "n" || word === "no" ? "" : line);
  }

  #ruleFor(question: Question): string {
    return proposeRule(question, this.#session?.cwd ?? "", this.#options.home);
  }

  async #interrupt(lines: { close(): void }): Promise<void> {
    const sessionId = this.#session?.id;
    if (sessionId === undefined) return lines.close();
    await this.#try(async () => {
      const { interrupted } = await this.#options.client.sessions.interrupt({ sessionId });
      if (!interrupted) lines.close();
    });
  }

  #say(text: string): void {
    writeFresh(this.#output, `${text}\n`);
  }

  async #try(command: () => Promise<void>): Promise<void> {
    try {
      await command();
    } catch (error) {
      this.#say(`That did not work: ${toCliError(error)?.message ?? error}`);
      if (isGone(error)) void this.#seekDaemon();
    }
  }
}
