import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  connectToHost,
  type EnvironmentMessage,
  type Handlers,
  type HostConnection,
  type HostMessage,
  type hostRequests,
  type Malformed,
} from "@agentwire/protocol";
import { assemble, type ReadyAgent } from "./assemble.ts";
import type { Config } from "./config.ts";
import { around } from "./control/around.ts";
import { withKeepAlive } from "./control/keep-alive.ts";
import { controls } from "./control/table.ts";
import { deferred } from "./deferred.ts";
import { hostDialect } from "./host-dialect.ts";
import { HostLink } from "./host-link.ts";
import { toPrompt } from "./inbox.ts";
import type { Runtime } from "./runtime.ts";
import { onSignals } from "./signals.ts";
import { startupFailure } from "./startup-failure.ts";

/** Talks to a host over two streams until the host is done; resolves to the exit code. */
export async function serveStdio(
  config: Config,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
): Promise<number> {
  const server = new StdioServer(config, complain);
  return server.run(input, output);
}

/** How long a process that was told to end waits for the host to read what it had said before. */
const LAST_WORDS_MS = 500;

class StdioServer {
  readonly #config: Config;
  readonly #complain: (text: string) => void;
  readonly #dialect: ReturnType<typeof hostDialect>;
  readonly #host = new HostLink();
  /** Settles early when the talk can't go on. */
  readonly #fatal = deferred<number>();
  /** Whether the host still has to say hello before anything else. */
  #awaitsInitialize: boolean;

  constructor(config: Config, complain: (text: string) => void) {
    this.#config = config;
    this.#complain = complain;
    this.#dialect = hostDialect(config.flags);
    this.#awaitsInitialize = config.flags.has("await-initialize");
  }

  async run(input: Readable, output: Writable): Promise<number> {
    const agent = await assemble(this.#config, this.#host, this.#complain);
    const connection = connectToHost({
      input,
      output,
      dialect: this.#dialect,
      handlers: agent.kind === "ready" ? this.#handlers(agent) : {},
      onMalformed: (fault, told) => this.#malformed(fault, told),
    });
    this.#host.connect(connection);
    // Nobody is left to hear of what still runs.
    output.once("close", () => this.#fatal.resolve(1));
    if (agent.kind === "refused") {
      connection.send(startupFailure(agent.reason));
      await connection.close();
      return 1;
    }
    return this.#serve(agent, connection);
  }

  async #serve(agent: ReadyAgent, connection: HostConnection): Promise<number> {
    const { session } = agent.runtime;
    const signals = onSignals(session);
    try {
      void this.#read(connection, agent);
      const served = session.serve().then(() => (session.lastFailed && !signals.interrupted ? 1 : 0));
      const cutOff = Promise.race([this.#fatal.promise, signals.code]).then((code) => {
        this.#host.hangUp();
        return code;
      });
      const code = await Promise.race([served, cutOff]);
      await agent.close();
      return code;
    } finally {
      signals.stop();
      const closed = connection.close();
      // Whoever ends us does not wait for a host that has stopped reading.
      await (this.#host.isSilent ? Promise.race([closed, delay(LAST_WORDS_MS)]) : closed);
    }
  }

  #handlers({ runtime }: ReadyAgent): Handlers<typeof hostRequests> {
    const handlers = withKeepAlive(controls(runtime), (message) => this.#host.send(message));
    return around(handlers, (subtype, answer) => {
      if (subtype === "initialize") this.#awaitsInitialize = false;
      if (this.#awaitsInitialize) this.#refuseFirst();
      return answer();
    });
  }

  /** Passes on what the host says; the end of it, too, comes in its turn. */
  async #read({ messages }: HostConnection, agent: ReadyAgent): Promise<void> {
    const { arrivals, session } = agent.runtime;
    const add = (message: HostMessage) => arrivals.add(() => this.#take(message, agent));
    arrivals.catchUp = () => {
      for (let message = messages.take(); message; message = messages.take()) add(message);
    };
    for await (const message of messages) add(message);
    arrivals.add(() => session.parts.inbox.close());
  }

  #take(message: HostMessage, { runtime }: ReadyAgent): void {
    const { session } = runtime;
    if (this.#awaitsInitialize) {
      this.#refuseFirst();
      return;
    }
    switch (message.type) {
      case "user": {
        const prompt = toPrompt(message, randomUUID);
        const isNew = session.parts.inbox.add(prompt);
        // A repeated prompt is not answered again, but whoever wants receipts gets one.
        if (!isNew && this.#config.replayPrompts) session.replay(prompt);
        return;
      }
      case "assistant":
        session.recall(message.message.content);
        return;
      case "update_environment_variables":
        this.#renewTokens(message, runtime);
        return;
      case "unknown":
        this.#complain(`agentwire-agent: a message of unknown type ${message.raw_type} is ignored\n`);
    }
  }

  #renewTokens({ variables, request_id }: EnvironmentMessage, runtime: Runtime): void {
    const applied = [...runtime.renewTokens(variables)];
    if (request_id === undefined) return;
    const response = { subtype: "success" as const, request_id, response: { applied } };
    this.#host.send({ type: "control_response", response });
  }

  #refuseFirst(): void {
    const reason = "The first message was not initialize, as --await-initialize demands.";
    this.#host.send(startupFailure(reason, "initialize_not_first"));
    this.#complain(`agentwire-agent: ${reason}\n`);
    this.#awaitsInitialize = false;
    this.#fatal.resolve(1);
  }

  /** The official agent gives up on input it can't read; `--tolerant` goes on, and so does a dialect that has told the host. */
  #malformed(fault: Malformed, told: boolean): void {
    const harmless =
      fault.code === "no_type" || (fault.code === "not_an_object" && !fault.head.startsWith("null"));
    this.#complain(`agentwire-agent: ${fault.reason}\n`);
    if (!told && !harmless && !this.#config.tolerant) this.#fatal.resolve(1);
  }
}
