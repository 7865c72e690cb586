import { setMaxListeners } from "node:events";
import {
  type AgentConnection,
  type AgentMessage,
  connectToAgent,
  type Handlers,
  type HostMessage,
  type Malformed,
  type MalformedContext,
  type ProtocolError,
  Unknown,
} from "@agentwire/protocol";
import { supports } from "@agentwire/protocol/compatibility";
import type { agentRequests, hostRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import { DIALECTS } from "@agentwire/protocol/dialect";
import { type Deadlines, deadlinesOf } from "../deadlines.ts";
import { HostError, type ProcessFacts } from "../errors.ts";
import { argumentTooLong } from "../process/argument-limit.ts";
import { type AgentProcess, type Exit, neverStarted, startProcess } from "../process/process.ts";
import { isGoneWithin, stopProcess } from "../process/stop.ts";
import { failClosed } from "./fail-closed.ts";
import { aborted, callbackFailed, endingOf, requestFailure, requireAccepted } from "./failures.ts";
import type { AgentOutputMessage, Ending, Launch, Link, Messages, RequestOptions } from "./link.ts";
import { DEFAULT_MAX_LINE_BYTES } from "./link.ts";
import { OpenWork } from "./open-work.ts";
import { Recorder } from "./recorder.ts";
import { type Silence, SilenceWatch, silenceError } from "./silence.ts";
import { probeFor } from "./tool-probe.ts";

type Asks = typeof hostRequests;

/** How long to wait for the exit of an agent that has stopped reading before treating it as still running. */
const LEAVING_MS = 500;

/** Starts an agent and connects to it. Never throws: a program that can't be started is reported as an ending. */
export function openLink(launch: Launch, handlers: Handlers<typeof agentRequests>): Link {
  return new AgentLink(launch, handlers);
}

/** One file, because all ways to end (on request, silent, aborted, output closed, a callback that threw) must agree on one reason. */
class AgentLink implements Link {
  readonly messages: Messages;
  readonly ended: Promise<Ending>;
  readonly #launch: Launch;
  readonly #deadlines: Deadlines;
  readonly #process: AgentProcess;
  readonly #connection: AgentConnection;
  readonly #work: OpenWork;
  readonly #silence: SilenceWatch;
  #recorder: Recorder | undefined;
  /** Why it was made to end. */
  #failure: HostError | undefined;
  /** How it ended. */
  #ending: Ending | undefined;
  #inputEnded = false;
  #stopping: Promise<void> | undefined;
  #giveUp: () => void = () => {};

  constructor(launch: Launch, handlers: Handlers<typeof agentRequests>) {
    this.#launch = launch;
    this.#deadlines = deadlinesOf(launch.deadlines);
    this.#silence = new SilenceWatch(
      () => this.#work,
      this.#deadlines,
      (silence) => this.#onSilence(silence),
      probeFor(launch, (subtype, options) => this.request(subtype, {}, options)),
    );
    this.#work = new OpenWork(this.#deadlines.backgroundMs, () => this.#silence.changed());
    this.#process = this.#start();
    this.#connection = connectToAgent({
      input: this.#process.stdout,
      output: this.#process.stdin,
      dialect: DIALECTS[launch.dialect ?? "claude"],
      handlers: failClosed(handlers, this.#deadlines.answerMs, () => this.#work.opened()),
      onMessage: (message, line) => this.#received(message, line),
      onMalformed: (fault, facts) => this.#malformed(fault, facts),
      ...(launch.take && {
        take: (message: AgentOutputMessage, line: string | undefined) => this.#take(message, line),
      }),
      tellsWithdrawals: supports(launch.version, undefined, "other_input"),
      maxLineBytes: launch.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES,
      ...(this.#recorder && {
        onLine: (way, line) => this.#recorder?.line(way === "sent" ? "in" : "out", line),
      }),
      ...(launch.log && { log: launch.log }),
    });
    this.messages = this.#connection.messages;
    this.ended = this.#end();
    this.#followSignal();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get room(): Promise<void> | undefined {
    return this.#connection.room;
  }

  send(message: HostMessage): void {
    requireAccepted(this.#launch.version, message.type);
    let failure: ProtocolError | undefined;
    try {
      failure = this.#connection.send(message);
    } catch (cause) {
      throw new HostError("unencodable", "The message can't be serialized as JSON and was not sent.", {
        cause,
      });
    }
    if (failure) throw this.#unsendable(failure);
    this.#work.sent(message);
    this.#silence.asked();
  }

  async request<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
    options: RequestOptions = {},
  ): Promise<ResponseOf<Asks, S>> {
    requireAccepted(this.#launch.version, "control_request", subtype);
    const ms = options.deadlineMs ?? this.#deadlines.requestMs;
    const settled = options.holdsInput === false ? () => {} : this.#work.opened();
    this.#silence.asked();
    try {
      return await this.#connection.request(subtype, params, {
        ...(options.signal && { signal: options.signal }),
        ...(ms !== Number.POSITIVE_INFINITY && { deadlineMs: ms }),
      });
    } catch (error) {
      const failure = error as ProtocolError;
      throw await requestFailure(subtype, failure, this.#facts(), () => this.#whyGone(failure));
    } finally {
      settled();
    }
  }

  settled(): Promise<void> {
    return this.#work.settled();
  }

  endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // Writes buffered messages before the input is closed.
    void this.#connection.flushed();
    this.#process.stdin.end();
    this.#recorder?.endOfInput();
    this.#silence.inputEnded();
  }

  async close(): Promise<Ending> {
    this.#stopping ??= this.#stop(this.#deadlines.closeMs);
    return this.ended;
  }

  async drain(): Promise<Ending> {
    await this.#work.settled();
    this.endInput();
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #start(): AgentProcess {
    const { args, env, record, signal } = this.#launch;
    try {
      const long = argumentTooLong(args, env);
      if (long) throw long;
      if (signal?.aborted) throw aborted(signal);
      if (record !== undefined) this.#recorder = new Recorder(record, (error) => this.#fail(error));
      return startProcess(this.#launch);
    } catch (error) {
      return neverStarted(error as HostError);
    }
  }

  #followSignal(): void {
    const { signal } = this.#launch;
    if (!signal) return;
    // Many agents may share one signal; Node must not warn about the number of listeners.
    if (signal instanceof EventTarget) setMaxListeners(0, signal);
    const abort = () => this.#fail(aborted(signal), this.#deadlines.closeMs);
    signal.addEventListener("abort", abort, { once: true });
    void this.ended.then(() => signal.removeEventListener("abort", abort));
  }

  #malformed(fault: Malformed, { value, line }: MalformedContext): void {
    const { onMalformed, take } = this.#launch;
    if (onMalformed) {
      this.#callBack(() => onMalformed(fault, line));
      return;
    }
    if (fault.code === "too_long")
      this.#fail(new HostError("line_too_long", `The agent wrote too much: ${fault.reason}.`, this.#facts()));
    // A message of unknown shape is treated like one of unknown type: the reader may understand it.
    const type = String(value?.type);
    if (!value || type.startsWith("control_")) return;
    if (take) void this.#take(new Unknown(type, value), String(line));
    else this.#connection.messages.push(new Unknown(type, value));
  }

  #take(message: AgentOutputMessage, line: string | undefined): Promise<void> | undefined {
    return this.#callBack(() => this.#launch.take?.(message, line));
  }

  #received(message: AgentMessage, line: string | undefined): void {
    const { onMessage } = this.#launch;
    if (onMessage) this.#callBack(() => onMessage(message, line));
    this.#work.received(message);
    this.#silence.received(message.type === "control_response");
  }

  /** Runs a callback; one that throws has missed a message, so the link ends. */
  #callBack<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (cause) {
      this.#fail(callbackFailed(cause));
      return undefined;
    }
  }

  #onSilence(silence: Silence): void {
    // Nobody reads its messages: the host is holding the agent back.
    if (this.#connection.isHoldingBack) {
      this.#silence.restart();
      return;
    }
    const error = silenceError(silence, this.#deadlines, this.#facts());
    if (error) this.#fail(error);
    else this.#stopping ??= this.#stop(0);
  }

  #fail(error: HostError, graceMs = 0): void {
    if (this.#stopping) return;
    this.#failure ??= error;
    this.#stopping = this.#stop(graceMs);
  }

  /** End of input, TERM, KILL. A process that survives even that is given up, so that nothing waits for it. */
  async #stop(graceMs: number): Promise<void> {
    if (!this.#inputEnded) this.#recorder?.endOfInput();
    this.#inputEnded = true;
    // Keep reading while the agent ends: writing to a closed pipe would kill it.
    void this.#connection.leave();
    if (await stopProcess(this.#process, graceMs, this.#deadlines.terminateMs)) return;
    this.#process.stdin.destroy();
    this.#process.stdout.destroy();
    this.#giveUp();
  }

  async #end(): Promise<Ending> {
    const givenUp = new Promise<Exit>((resolve) => {
      this.#giveUp = () => resolve({ code: null, signal: null });
    });
    const exited = Promise.all([this.#process.exited, this.#connection.ended]).then(([exit]) => exit);
    void this.#connection.ended.then((cause) => this.#onOutputEnd(cause));
    const exit = await Promise.race([exited, givenUp]);
    this.#silence.stop();
    this.#work.end();
    void this.#connection.close();
    this.#recorder?.close();
    this.#ending = endingOf(exit, this.#facts(), {
      failure: this.#failure,
      wasStopped: this.#stopping !== undefined,
      hadTurn: this.#work.hasTurn,
      lastTurnFailed: this.#work.lastTurnFailed,
    });
    return this.#ending;
  }

  /** An agent that closed its output can do nothing useful any more. */
  async #onOutputEnd(cause: ProtocolError | undefined): Promise<void> {
    if (await isGoneWithin(this.#process, this.#deadlines.terminateMs)) return;
    const facts = { ...this.#facts(), cause };
    this.#fail(new HostError("output_closed", "The agent closed its output but kept running.", facts));
  }

  async #whyGone(cause: ProtocolError): Promise<HostError | undefined> {
    if (this.#failure || this.#stopping) return this.#failure;
    // An agent that only stopped reading may live on for a long time.
    const isLeaving = cause.code === "closed" || (await isGoneWithin(this.#process, LEAVING_MS));
    if (!isLeaving) return this.#unsendable(cause);
    const { error } = await this.ended;
    if (error || this.#inputEnded) return error;
    return new HostError("exited", "The agent exited before it answered.", { ...this.#facts(), cause });
  }

  #unsendable(cause: ProtocolError): HostError {
    if (this.#failure) return this.#failure;
    if (this.#stopping) return new HostError("closed", "The session is closed.", { ...this.#facts(), cause });
    const text = this.#inputEnded ? "The agent's input was ended." : "The agent no longer reads.";
    return this.#ending?.error ?? new HostError("input_closed", text, { ...this.#facts(), cause });
  }

  #facts(): ProcessFacts {
    const { exitCode, exitSignal } = this.#ending ?? {};
    return { pid: this.pid, exitCode, exitSignal, stderr: this.#process.stderr.toString() };
  }
}
