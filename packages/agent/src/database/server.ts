import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { connectToHost, type HostConnection, type HostMessage } from "@agentwire/protocol";
import type { EnvironmentMessage, PromptMessage } from "@agentwire/protocol/messages";
import type { Config } from "../config/config.ts";
import { withKeepAlive } from "../control/keep-alive.ts";
import { deferred } from "../deferred.ts";
import { debugLog } from "../host/debug-log.ts";
import { expectationsOf } from "../host/expectations.ts";
import { HostLink } from "../host/host-link.ts";
import { toPrompt } from "../prompt.ts";
import { onEndSignals } from "../serve/end-signals.ts";
import { hostDialect } from "../serve/host-dialect.ts";
import { usableContent } from "../serve/prompt-content.ts";
import { WireLog } from "../serve/wire-log.ts";
import { HostInput } from "../session/host-input.ts";
import type { Database } from "../store/sqlite/database.ts";
import { describeFailure } from "../store/sqlite/failure.ts";
import { ownSession } from "./session-name.ts";
import { sessionRequests } from "./session-requests.ts";
import { type OpenSession, Sessions } from "./sessions.ts";

/** Serves the sessions of a database to a host over two streams until the host is done; resolves to the exit code. */
export async function serveDatabase(
  config: Config,
  database: Database,
  input: Readable,
  output: Writable,
  complain: (text: string) => void,
): Promise<number> {
  return new Server(config, database, complain).run(input, output);
}

/** How long a process that is asked to end waits for its sessions to finish, and for the host to read the remaining output. */
const END_GRACE_MS = 500;
const MAX_REMEMBERED = 100;

class Server {
  readonly #config: Config;
  readonly #host = new HostLink();
  readonly #hostInput = new HostInput();
  readonly #sessions: Sessions;
  readonly #complain: (text: string) => void;
  readonly #log: (text: string) => void;
  readonly #ownId: string;
  /** Settles when no more prompts will come. */
  readonly #inputEnded = deferred<void>();
  /** Whether the last prompt was refused a turn. */
  #hasRefused = false;

  constructor(config: Config, database: Database, complain: (text: string) => void) {
    this.#config = config;
    this.#ownId = ownSession(config);
    this.#complain = once(complain);
    this.#log = complain;
    this.#sessions = new Sessions({
      config,
      host: this.#host,
      database,
      hostInput: this.#hostInput,
      complain: this.#complain,
    });
  }

  async run(input: Readable, output: Writable): Promise<number> {
    const handlers = sessionRequests({
      sessions: this.#sessions,
      hostInput: this.#hostInput,
      ownId: this.#ownId,
      end: () => {
        this.#sessions.end();
        this.#inputEnded.resolve();
      },
    });
    const log = new WireLog(debugLog(this.#config, this.#host, this.#log));
    this.#host.onSend = log.sent;
    const connection = connectToHost({
      input,
      output,
      onMessage: log.received,
      dialect: hostDialect(this.#config, ({ name }) => {
        this.#host.expectations = expectationsOf(name);
      }),
      handlers: withKeepAlive(handlers, (message) => this.#host.send(message)),
      onMalformed: (fault) => this.#complain(`agentwire-agent: ${fault.reason}\n`),
    });
    this.#host.connect(connection);
    // If the output closes, nobody can receive what is still running.
    const hostLeft = new Promise<number>((resolve) => output.once("close", () => resolve(1)));
    this.#sessions.answerQueued((reason) => this.#refuse(reason, ""));
    void this.#read(connection, output);
    return this.#serve(connection, hostLeft);
  }

  async #serve(connection: HostConnection, hostLeft: Promise<number>): Promise<number> {
    const signals = onEndSignals(() => {
      this.#sessions.leave();
      this.#inputEnded.resolve();
    });
    try {
      const served = this.#inputEnded.promise.then(() => this.#sessions.finish());
      const cutOff = Promise.race([hostLeft, signals.lost]).then(async (code) => {
        this.#host.hangUp();
        this.#sessions.leave();
        await Promise.race([this.#sessions.finish(), delay(END_GRACE_MS)]);
        return code;
      });
      return await Promise.race([served.then(() => signals.received ?? this.#exitCode), cutOff]);
    } finally {
      signals.stop();
      await this.#sessions.memory.close();
      const closed = connection.close();
      // A host that has stopped reading must not delay the end of the process.
      const isUrgent = this.#host.isSilent || signals.received !== undefined;
      await (isUrgent ? Promise.race([closed, delay(END_GRACE_MS)]) : closed);
    }
  }

  get #exitCode(): number {
    return this.#host.lastFailed || this.#hasRefused ? 1 : 0;
  }

  /** Passes on the host's messages in order, and the end of the input after them. */
  async #read({ messages }: HostConnection, output: Writable): Promise<void> {
    const add = (message: HostMessage) => this.#hostInput.add(() => this.#take(message));
    this.#hostInput.catchUp = () => {
      for (let message = messages.take(); message; message = messages.take()) add(message);
    };
    for await (const message of messages) add(message);
    this.#host.inputEnded(output);
    this.#hostInput.add(() => this.#inputEnded.resolve());
  }

  #take(message: HostMessage): void {
    switch (message.type) {
      case "user":
        this.#withSession(
          message.session_id,
          (session) => this.#accept(message, session),
          (reason, id) => this.#refuseTurn(message, reason, id),
        );
        return;
      case "assistant":
        this.#withSession(message.session_id, ({ agent }) => agent.session.recall(message.message.content));
        return;
      case "update_environment_variables":
        this.#renewTokens(message);
        return;
      case "unknown":
        this.#complain(`agentwire-agent: a message of unknown type ${message.raw_type} is ignored\n`);
    }
  }

  #withSession(
    id: string | undefined,
    work: (session: OpenSession) => void,
    refuse = (reason: string, sessionId: string) => this.#refuse(reason, sessionId),
  ): void {
    this.#sessions.withSession(id || this.#ownId, work, (reason) => refuse(reason, id ?? ""));
  }

  #accept(message: PromptMessage, { agent }: OpenSession): void {
    const { session } = agent;
    const { outlet, inbox } = session.context;
    const { content, problems } = usableContent(message.message.content);
    for (const problem of problems) this.#refuse(problem, outlet.sessionId);
    if (content === undefined) {
      this.#refuseTurn(message, "The message has no usable content", outlet.sessionId);
      return;
    }
    const prompt = { ...toPrompt(message, randomUUID), content };
    try {
      const isNew = inbox.add(prompt);
      this.#hasRefused = false;
      // A repeated prompt is not answered again, but acknowledged if the host wants that.
      if (!isNew && this.#config.replayPrompts) session.replay(prompt);
    } catch (error) {
      const reason = `The message was not accepted, because it can't be stored: ${describeFailure(error)}`;
      this.#refuseTurn(message, reason, outlet.sessionId);
    }
  }

  #renewTokens({ variables, request_id }: EnvironmentMessage): void {
    const renewed = this.#sessions.all.flatMap(({ agent }) => agent.session.context.renewTokens(variables));
    if (request_id === undefined) return;
    const response = {
      subtype: "success" as const,
      request_id,
      response: { applied: [...new Set(renewed)] },
    };
    this.#host.send({ type: "control_response", response });
  }

  /** Reports why a prompt gets no turn, and its lifecycle state, for dialects whose hosts wait for the end of each prompt. */
  #refuseTurn({ uuid }: PromptMessage, reason: string, session_id: string): void {
    this.#hasRefused = true;
    this.#refuse(reason, session_id);
    if (uuid === undefined) return;
    this.#host.send({
      type: "command_lifecycle",
      command_uuid: uuid,
      state: "refused",
      uuid: randomUUID(),
      session_id,
    });
  }

  #refuse(message: string, session_id: string): void {
    this.#host.send({ type: "system", subtype: "error", message, uuid: randomUUID(), session_id });
  }
}

/** Drops repeated texts: problems with the surroundings are found again by every session that is opened. */
function once(complain: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    if (said.size < MAX_REMEMBERED) said.add(text);
    complain(text);
  };
}
