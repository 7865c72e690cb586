import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { connectToHost, type HostMessage, type Malformed } from "@agentwire/protocol";
import { assemble, type ReadyAgent } from "./assemble.ts";
import type { Config } from "./config.ts";
import { controls } from "./control/table.ts";
import { deferred } from "./deferred.ts";
import { HostLink } from "./host-link.ts";
import { toPrompt } from "./inbox.ts";

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

class StdioServer {
  readonly #config: Config;
  readonly #complain: (text: string) => void;
  /** Settles early when the talk can't go on. */
  readonly #fatal = deferred<number>();

  constructor(config: Config, complain: (text: string) => void) {
    this.#config = config;
    this.#complain = complain;
  }

  async run(input: Readable, output: Writable): Promise<number> {
    const host = new HostLink();
    const agent = await assemble(this.#config, host, this.#complain);
    const connection = connectToHost({
      input,
      output,
      handlers: agent.kind === "ready" ? controls(agent.runtime) : {},
      onMalformed: (fault) => this.#malformed(fault),
    });
    host.connect(connection);
    if (agent.kind === "refused") {
      connection.send(agent.result);
      await connection.close();
      return 1;
    }
    const signals = onSignals(agent);
    try {
      void this.#read(connection.messages, agent).then(() => agent.inputEnded());
      const served = agent.runtime.session.serve().then(() => (agent.runtime.session.lastFailed ? 1 : 0));
      const code = await Promise.race([served, this.#fatal.promise, signals.code]);
      await agent.close();
      return code;
    } finally {
      signals.stop();
      await connection.close();
    }
  }

  async #read(messages: AsyncIterable<HostMessage>, agent: ReadyAgent): Promise<void> {
    const { inbox, history } = agent.runtime.session.parts;
    for await (const message of messages) {
      switch (message.type) {
        case "user":
          await agent.runtime.handshake;
          inbox.add(toPrompt(message, randomUUID));
          break;
        case "assistant":
          history.add("assistant", message.message.content);
          break;
        case "unknown":
          this.#complain(`agentwire-agent: a message of unknown type ${message.raw_type} is ignored\n`);
          break;
        default:
          break;
      }
    }
  }

  /** The official agent gives up on input it can't read; `--tolerant` reports it and goes on. */
  #malformed(fault: Malformed): void {
    const harmless =
      fault.code === "no_type" || (fault.code === "not_an_object" && !fault.head.startsWith("null"));
    this.#complain(`agentwire-agent: ${fault.reason}\n`);
    if (!harmless && !this.#config.tolerant) this.#fatal.resolve(1);
  }
}

/** SIGINT ends the running turn properly, SIGTERM everything at once. */
function onSignals(agent: ReadyAgent): { readonly code: Promise<number>; stop(): void } {
  const { promise, resolve } = deferred<number>();
  const interrupt = () => {
    agent.runtime.session.interrupt();
    agent.runtime.session.parts.inbox.close();
  };
  const terminate = () => resolve(143);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  return {
    code: promise,
    stop() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
    },
  };
}
