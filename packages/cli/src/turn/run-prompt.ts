import { randomUUID } from "node:crypto";
import type { EventEmitter } from "node:events";
import { type Event, EventSchema, follow, type Question, type Session } from "@agentwire/api";
import { type GivenPrompt, readPrompt } from "@agentwire/local/program";
import { EXIT_CODES, type ExitCode } from "@agentwire/protocol/support";
import { adviceOn } from "@agentwire/view/timeline";
import { answerAtTerminal, denyUnasked, proposeRule } from "../ask/answer.ts";
import { isTrustGiven } from "../ask/ask-trust.ts";
import { OpenQuestions } from "../ask/open-questions.ts";
import { type Call, hasOption, textOption } from "../command.ts";
import { folderForDaemon } from "../daemon/daemon-paths.ts";
import { daemonOrNew } from "../daemon/reach.ts";
import { CliError, UsageError } from "../errors.ts";
import { type Person, personAt, personBehindPipe } from "../io.ts";
import { aside, endLines, type Outputs, outputOf, put } from "../output.ts";
import { EventPrinter } from "../render/event-printer.ts";
import { shortId } from "../render/question-line.ts";
import { styleFor } from "../render/style.ts";
import type { Client } from "../talk/client.ts";
import { continuedSession } from "../talk/continued-session.ts";
import { jsonLine } from "../talk/json.ts";
import { isFinal, toCliError } from "../talk/rpc-error.ts";
import { Terminal } from "../terminal/terminal.ts";
import { TurnProgress } from "./turn-progress.ts";
import { WireOutput } from "./wire-output.ts";

/** How long a turn waits for a lost daemon to come back. */
const PATIENCE_MS = 30_000;

/** Sends a prompt and shows its turn until it ends; resolves to the exit code. */
export async function runPrompt(call: Call): Promise<number> {
  const { io } = call;
  const prompt = await promptOf(call);
  const client = await daemonOrNew(io, "run");
  const session = await chooseSession(call, client);
  await noteDemo(call, client, session);
  // Created before the prompt is sent, so that no signal is missed.
  const signals = new Signals();
  try {
    const { promptId, seq } = await client.sessions.sendPrompt({
      sessionId: session.id,
      text: prompt.text,
      idempotencyKey: randomUUID(),
    });
    return await new Turn(call, client, session, promptId, personFor(call, prompt)).show(seq - 1n, signals);
  } finally {
    signals.close();
  }
}

/** The demo says itself that it is one, but not why it answers in place of the model that was asked for. */
async function noteDemo(call: Call, client: Client, session: Session): Promise<void> {
  if (textOption(call, "model") === undefined) return;
  const { demoNote } = await import("../daemon/demo-note.ts");
  const note = await demoNote(call, client, session);
  if (note !== "") call.io.stderr.write(`${note}\n`);
}

async function promptOf({ args, io: { stdin, stderr } }: Call): Promise<GivenPrompt> {
  const prompt = await readPrompt(args, stdin);
  if (prompt.isSilent) stderr.write("(no input on stdin; ignoring it)\n");
  if (prompt.text.trim() !== "") return prompt;
  throw new UsageError("no prompt given", 'as in: agentwire run "list the files here", or pipe it in');
}

/** The person to ask; undefined if a program reads the output. */
function personFor(call: Call, { isPiped }: GivenPrompt): Person | undefined {
  if (call.json || hasOption(call, "print") || isWire(call)) return undefined;
  return isPiped ? personBehindPipe(call.io) : personAt(call.io);
}

/** Whether the turn is printed as wire messages. */
const isWire = (call: Call) => (textOption(call, "output-format") ?? "text") !== "text";

async function chooseSession(call: Call, client: Client): Promise<Session> {
  const cwd = folderForDaemon(call.io, textOption(call, "cwd"));
  const continued = await continuedSession(call, client, cwd);
  if (continued) return continued;
  const { session } = await client.sessions.createSession({
    cwd,
    trust: hasOption(call, "trust") || (await isTrustGiven(call, client, cwd)),
    agent: textOption(call, "agent") ?? "",
    model: textOption(call, "model") ?? "",
    permissionMode: textOption(call, "mode") ?? "",
    idempotencyKey: randomUUID(),
    ...(hasOption(call, "worktree") && { worktree: { name: textOption(call, "worktree") ?? "" } }),
  });
  if (!session) throw new CliError("the daemon created no session");
  return session;
}

/** Shows one turn: prints its events, asks its questions, and handles interrupts. */
class Turn {
  readonly #call: Call;
  readonly #client: Client;
  readonly #session: Session;
  readonly #promptId: string;
  readonly #questions = new OpenQuestions();
  readonly #over = new AbortController();
  readonly #terminal: Terminal | undefined;
  readonly #outputs: Outputs;
  readonly #printer: EventPrinter;
  readonly #isAnswerAlone: boolean;
  /** The exit code for the signal received, if any. */
  #signaled: ExitCode | undefined;
  #asking: Promise<void> | undefined;

  constructor(call: Call, client: Client, session: Session, promptId: string, person: Person | undefined) {
    this.#call = call;
    this.#client = client;
    this.#session = session;
    this.#promptId = promptId;
    const { io } = call;
    this.#isAnswerAlone = hasOption(call, "print") || isWire(call);
    this.#terminal = person && new Terminal(person, () => this.#interrupt(EXIT_CODES.interrupted));
    const screen = this.#terminal?.screen;
    const stdout = screen && io.stdout.isTTY ? screen : outputOf(io.stdout);
    this.#outputs = { said: stdout, aside: screen ?? (io.stdout.isTTY ? stdout : outputOf(io.stderr)) };
    this.#printer = new EventPrinter({
      style: styleFor(person?.screen ?? io.stderr, io.env),
      prompts: false,
    });
  }

  async show(afterSeq: bigint, signals: Signals): Promise<number> {
    signals.listen((code) => this.#interrupt(code));
    this.#questions.onArrival = () => this.#ask();
    try {
      return await this.#follow(new TurnProgress(this.#promptId), afterSeq);
    } finally {
      this.#over.abort();
      await this.#asking;
      endLines(this.#outputs);
    }
  }

  async #follow(outcome: TurnProgress, afterSeq: bigint): Promise<number> {
    const { id: sessionId } = this.#session;
    const options = { sessionId, afterSeq, patienceMs: PATIENCE_MS, isFinal };
    const wire = this.#wireOutput(afterSeq);
    for await (const item of follow(this.#client.sessions, options, this.#over.signal)) {
      if (item.type === "lost") this.#say("… lost the daemon; waiting for it to come back");
      if (item.type !== "events") continue;
      for (const event of item.events) {
        if (wire) await wire.handle(event);
        else this.#print(event);
        this.#questions.handle(event);
        const code = outcome.handle(event);
        if (code === undefined) continue;
        wire?.end();
        return this.#signaled ?? code;
      }
    }
    wire?.end();
    return this.#signaled ?? EXIT_CODES.turnFailed;
  }

  #wireOutput(afterSeq: bigint): WireOutput | undefined {
    if (!isWire(this.#call) || this.#call.json) return undefined;
    const isStream = textOption(this.#call, "output-format") === "stream-json";
    const turn = { sessionId: this.#session.id, afterSeq, isStream };
    return new WireOutput(this.#client, turn, (line) => this.#call.io.stdout.write(`${line}\n`));
  }

  #print(event: Event): void {
    const { json, io } = this.#call;
    if (json) io.stdout.write(jsonLine(EventSchema, event));
    else if (!this.#isAnswerAlone) put(this.#outputs, this.#printer.print(event));
    else if (event.body.case === "error") {
      // The printed answer is the agent's own text, which may name a command that does not exist here.
      const advice = adviceOn(event.body.value.code, event.body.value.message);
      if (advice !== undefined) this.#say(advice);
    } else if (event.body.case === "turnComplete" && event.body.value.promptIds.includes(this.#promptId))
      io.stdout.write(`${event.body.value.text || event.body.value.errors.join("\n")}\n`);
  }

  #say(text: string): void {
    if (this.#call.json || this.#isAnswerAlone) this.#call.io.stderr.write(`${text}\n`);
    else put(this.#outputs, [aside(text)]);
  }

  /** The first call interrupts the turn; the second detaches from it. */
  #interrupt(code: ExitCode): void {
    const attach = `agentwire attach ${shortId(this.#session.id)} shows it`;
    if (this.#signaled !== undefined) {
      this.#say(`(detached; the session is kept: ${attach})`);
      this.#over.abort();
      return;
    }
    this.#signaled = code;
    this.#say("(interrupting the turn; Ctrl-C again detaches)");
    this.#breakOff().catch((error: unknown) => {
      this.#say(`✗ the turn could not be interrupted: ${toCliError(error)?.message ?? error}`);
      this.#over.abort();
    });
  }

  /** Interrupts the turn, or withdraws the prompt if its turn has not begun. */
  async #breakOff(): Promise<void> {
    const { id: sessionId } = this.#session;
    const { interrupted } = await this.#client.sessions.interrupt({ sessionId });
    if (!interrupted) await this.#client.sessions.cancelPrompt({ sessionId, promptId: this.#promptId });
  }

  /** Asks the open questions one after the other. */
  #ask(): void {
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined;
    });
  }

  async #askAll(): Promise<void> {
    for (let next = this.#questions.first; next; next = this.#questions.first) {
      const { question, signal } = next;
      if (this.#over.signal.aborted) return;
      const isAnswered = await this.#answer(question, AbortSignal.any([signal, this.#over.signal]));
      if (isAnswered) this.#questions.remove(question.id);
    }
  }

  async #answer(question: Question, signal: AbortSignal): Promise<boolean> {
    const client = this.#client;
    const { env, stderr, stdout } = this.#call.io;
    const ruleFor = (asked: Question) => proposeRule(asked, this.#session.cwd, env.HOME ?? "");
    if (this.#terminal) {
      const style = styleFor(stdout.isTTY ? stdout : stderr, env);
      return answerAtTerminal({ client, terminal: this.#terminal, style, ruleFor }, question, signal);
    }
    try {
      this.#say(`  ${await denyUnasked(client, question, ruleFor(question))}`);
    } catch (error) {
      this.#say(`✗ ${toCliError(error)?.message ?? error}`);
    }
    return true;
  }
}

/** The source of signals: the process, or an emitter in tests. */
type SignalSource = Pick<EventEmitter, "on" | "off">;

/** Receives the process's signals during a turn and holds them until there is a listener. */
export class Signals {
  readonly #interrupted = () => this.#signaled(EXIT_CODES.interrupted);
  readonly #terminated = () => this.#signaled(EXIT_CODES.terminated);
  /** The signal that arrived before there was a listener. */
  #early: ExitCode | undefined;
  #listener: ((code: ExitCode) => void) | undefined;
  readonly #source: SignalSource;

  constructor(source: SignalSource = process) {
    this.#source = source;
    source.on("SIGINT", this.#interrupted).on("SIGTERM", this.#terminated);
  }

  /** Passes on every signal from now on, and the one that arrived earlier. */
  listen(listener: (code: ExitCode) => void): void {
    this.#listener = listener;
    if (this.#early !== undefined) listener(this.#early);
  }

  close(): void {
    this.#source.off("SIGINT", this.#interrupted).off("SIGTERM", this.#terminated);
  }

  #signaled(code: ExitCode): void {
    if (this.#listener) this.#listener(code);
    // A second signal exits at once.
    else if (this.#early !== undefined) process.exit(code);
    else this.#early = code;
  }
}
