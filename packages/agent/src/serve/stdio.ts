import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  connectToHost,
  type Handlers,
  type HostConnection,
  type HostMessage,
  type Malformed,
  ProtocolError,
} from "@agentwire/protocol";
import type { hostRequests } from "@agentwire/protocol/control";
import { type EnvironmentMessage, NO_USAGE, type ResultMessage } from "@agentwire/protocol/messages";
import type { Config } from "../config/config.ts";
import { wrapHandlers } from "../control/wrap-handlers.ts";
import { deferred } from "../deferred.ts";
import { debugLog } from "../host/debug-log.ts";
import { expectationsOf } from "../host/expectations.ts";
import { HostLink } from "../host/host-link.ts";
import { toPrompt } from "../prompt.ts";
import type { Session } from "../session/session.ts";
import { AgentHandle } from "./agent-handle.ts";
import { hostDialect } from "./host-dialect.ts";
import { onSignals, type SignalSource } from "./signals.ts";
import type { Surroundings } from "./surroundings.ts";
import { WireLog } from "./wire-log.ts";

/** Serves a host over two streams until the host is done; resolves to the exit code. */
export async function serveStdio(
  config: Config,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
  watch: SessionWatch = {},
): Promise<number> {
  const server = new StdioServer(config, complain, watch);
  return server.run(input, output);
}

/** What can end a session, and what watches it. */
type SessionWatch = {
  readonly [K in "signals" | "onSession"]?: Surroundings[K] | undefined;
};

/** How long a process that has to end waits for the host to read its remaining output. */
const FINAL_OUTPUT_MS = 500;

class StdioServer {
  readonly #config: Config;
  readonly #complain: (text: string) => void;
  readonly #signals: SignalSource;
  readonly #onSession: Surroundings["onSession"];
  readonly #dialect: ReturnType<typeof hostDialect>;
  readonly #host = new HostLink();
  readonly #agent: AgentHandle;
  /** Settles with the exit code when the conversation can't continue. */
  readonly #fatal = deferred<number>();
  /** Whether `initialize` must come before anything else. */
  #awaitsInitialize: boolean;

  constructor(config: Config, complain: (text: string) => void, { signals, onSession }: SessionWatch) {
    this.#signals = signals ?? process;
    this.#onSession = onSession;
    this.#config = config;
    this.#complain = complain;
    this.#agent = new AgentHandle(config, this.#host, complain);
    this.#dialect = hostDialect(config, ({ name }) => {
      this.#host.expectations = expectationsOf(name);
    });
    this.#awaitsInitialize = config.awaitsInitialize;
  }

  async run(input: Readable, output: Writable): Promise<number> {
    const log = new WireLog(debugLog(this.#config, this.#host, this.#complain));
    this.#host.onSend = log.sent;
    const connection = connectToHost({
      input,
      output,
      onMessage: log.received,
      dialect: this.#dialect,
      handlers: this.#handlers(),
      onMalformed: (fault, { told }) => this.#malformed(fault, told),
    });
    // Connect before there is a session: it asks the host's MCP servers for their tools while it is still being created.
    this.#host.connect(connection);
    // Nobody is left to read the results of running work.
    output.once("close", () => this.#fatal.resolve(1));
    void this.#read(connection, output);
    try {
      const refusal = await this.#agent.open();
      if (refusal === undefined) return await this.#serve();
      connection.send(failedResult(refusal.reason, refusal.code));
      this.#complain(`agentwire-agent: ${refusal.reason}\n`);
      return 1;
    } finally {
      const closed = connection.close();
      // A host that has stopped reading must not delay the end of the process.
      await (this.#host.isSilent ? Promise.race([closed, delay(FINAL_OUTPUT_MS)]) : closed);
    }
  }

  async #serve(): Promise<number> {
    const session = { end: () => this.#end() };
    this.#onSession?.({
      heldBytes: () => this.#agent.agent?.session.context.held.bytes ?? 0,
      end: (reason) => this.#endFor(reason),
    });
    const signals = onSignals(this.#signals, session, () => this.#host.expectations.endsInResult);
    try {
      const served = this.#agent.serving.then(async ({ session }) => {
        await session.serve();
        return signals.ending ?? (session.lastFailed && !signals.interrupted ? 1 : 0);
      });
      const cutOff = Promise.race([this.#fatal.promise, signals.code]).then((code) => {
        this.#host.hangUp();
        // End the session before its tools and tasks: a tool that ends must not make the turn continue.
        this.#agent.end();
        return code;
      });
      const code = await Promise.race([served, cutOff]);
      await this.#agent.close();
      return code;
    } finally {
      signals.stop();
    }
  }

  /** Ends the session; if there is none yet, ends the process. */
  #end(): void {
    const { agent } = this.#agent;
    if (agent) agent.session.end();
    else this.#fatal.resolve(0);
  }

  #endFor(reason: string): void {
    if (this.#agent.agent?.session.isRunning) this.#host.send(failedResult(reason));
    this.#complain(`agentwire-agent: ${reason}\n`);
    this.#fatal.resolve(1);
  }

  #handlers(): Handlers<typeof hostRequests> {
    return wrapHandlers(this.#agent.handlers(), (subtype, answer, request) => {
      if (subtype === "initialize" && this.#awaitsInitialize) {
        this.#awaitsInitialize = false;
        if (this.#config.policyComesLater) return this.#openWith(request, answer);
      }
      if (this.#awaitsInitialize) this.#refuseFirst();
      return answer();
    });
  }

  /** Creates the agent with the administrator's settings; without them nothing may run. */
  async #openWith(greeting: object, answer: () => unknown): Promise<unknown> {
    const opened = deferred<void>();
    this.#agent.hostInput.hold(opened.promise);
    const refusal = await this.#agent.openWith(greeting);
    if (refusal !== undefined) {
      this.#failToStart(refusal, "managed_settings_not_delivered");
      throw new ProtocolError("refused", refusal);
    }
    const answered = answer();
    opened.resolve();
    return answered;
  }

  /** Passes on the host's messages, and finally the end of its input, in order. */
  async #read({ messages }: HostConnection, output: Writable): Promise<void> {
    const { hostInput } = this.#agent;
    const add = (message: HostMessage) => hostInput.add(() => this.#take(message));
    hostInput.catchUp = () => {
      for (let message = messages.take(); message; message = messages.take()) add(message);
    };
    for await (const message of messages) add(message);
    this.#host.inputEnded(output);
    hostInput.add(() => this.#endInput());
  }

  /** Handles the end of the host's input: no more prompts will come. */
  #endInput(): void {
    const { agent } = this.#agent;
    if (agent) agent.session.context.inbox.close();
    else if (this.#awaitsInitialize && this.#config.policyComesLater)
      this.#failToStart("The input ended before initialize.", "managed_settings_not_delivered");
    else this.#fatal.resolve(0);
  }

  #take(message: HostMessage): void {
    const { agent } = this.#agent;
    if (this.#awaitsInitialize) this.#refuseFirst();
    else if (agent) this.#pass(message, agent.session);
    else if (message.type === "user")
      // Without a claim, the folder to run in is unknown.
      this.#failToStart("not_claimed: no session has claimed this process");
  }

  #pass(message: HostMessage, session: Session): void {
    switch (message.type) {
      case "user": {
        const prompt = toPrompt(message, randomUUID);
        const isNew = session.context.inbox.add(prompt);
        // A repeated prompt is not answered again, but is acknowledged if the host asked for that.
        if (!isNew && this.#config.replayPrompts) session.replay(prompt);
        return;
      }
      case "assistant":
        session.recall(message.message.content);
        return;
      case "update_environment_variables":
        this.#renewTokens(message, session);
        return;
      case "unknown":
        this.#complain(`agentwire-agent: ignored a message of unknown type ${message.raw_type}\n`);
    }
  }

  #renewTokens({ variables, request_id }: EnvironmentMessage, session: Session): void {
    const applied = [...session.context.renewTokens(variables)];
    if (request_id === undefined) return;
    const response = { subtype: "success" as const, request_id, response: { applied } };
    this.#host.send({ type: "control_response", response });
  }

  #refuseFirst(): void {
    this.#awaitsInitialize = false;
    const reason = "The first message was not initialize, which --await-initialize requires.";
    this.#failToStart(reason, "initialize_not_first");
  }

  #failToStart(reason: string, code?: string): void {
    this.#host.send(failedResult(reason, code));
    this.#complain(`agentwire-agent: ${reason}\n`);
    this.#fatal.resolve(1);
  }

  /**
   * The official agent exits on unreadable input; `--tolerant` continues, and so does a dialect that has reported it to the host.
   */
  #malformed(fault: Malformed, reported: boolean): void {
    const harmless =
      fault.code === "no_type" || (fault.code === "not_an_object" && !fault.head.startsWith("null"));
    this.#complain(`agentwire-agent: ${fault.reason}\n`);
    if (!reported && !harmless && !this.#config.tolerant) this.#fatal.resolve(1);
  }
}

/** The result of a turn that could not start or continue; `code` is the wire's name for the reason, if it has one. */
function failedResult(reason: string, code?: string): ResultMessage {
  return {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: [reason],
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    ...(code !== undefined && { startup_failure_reason: code }),
    session_id: randomUUID(),
    uuid: randomUUID(),
  };
}
