import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  connectToHost,
  type Handlers,
  type HostConnection,
  type HostMessage,
  hostRequests,
  isJsonObject,
  type JsonObject,
  type PromptMessage,
  ProtocolError,
  type RequestContext,
} from "@agentwire/protocol";
import { Arrivals } from "./arrivals.ts";
import type { Config } from "./config.ts";
import { withKeepAlive } from "./control/keep-alive.ts";
import { deferred } from "./deferred.ts";
import { onEndSignals } from "./end-signals.ts";
import { hostDialect } from "./host-dialect.ts";
import { HostLink } from "./host-link.ts";
import { toPrompt } from "./inbox.ts";
import { usableContent } from "./prompt-content.ts";
import { ownSession } from "./session-name.ts";
import { sessionStatus } from "./session-status.ts";
import { type OpenSession, Sessions } from "./sessions.ts";
import type { Database } from "./store/sqlite/database.ts";
import { describeFailure } from "./store/sqlite/failure.ts";
import { sessionsWithPrompts } from "./store/sqlite/sessions.ts";

type HostHandlers = Handlers<typeof hostRequests>;
type Subtype = keyof typeof hostRequests;
type AnyHandler = (request: never, context: RequestContext) => unknown;

const MAX_ID_LENGTH = 256;
const MAX_REMEMBERED = 100;
/** How long a process that was told to end waits for the host to read what it had said before. */
const LAST_WORDS_MS = 500;

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

class Server {
  readonly #config: Config;
  readonly #database: Database;
  readonly #host = new HostLink();
  readonly #arrivals = new Arrivals();
  readonly #sessions: Sessions;
  readonly #complain: (text: string) => void;
  readonly #ownId: string;
  /** Settles when no more prompts come. */
  readonly #inputEnded = deferred<void>();

  constructor(config: Config, database: Database, complain: (text: string) => void) {
    this.#config = config;
    this.#ownId = ownSession(config);
    this.#database = database;
    this.#complain = once(complain);
    this.#sessions = new Sessions({
      config,
      host: this.#host,
      database,
      arrivals: this.#arrivals,
      complain: this.#complain,
    });
  }

  async run(input: Readable, output: Writable): Promise<number> {
    const connection = connectToHost({
      input,
      output,
      dialect: hostDialect(this.#config.flags),
      handlers: withKeepAlive(this.#handlers(), (message) => this.#host.send(message)),
      onMalformed: (fault) => this.#complain(`agentwire-agent: ${fault.reason}\n`),
    });
    this.#host.connect(connection);
    const signals = onEndSignals(() => {
      for (const { agent } of this.#sessions.all) agent.runtime.session.leave();
      void this.#sessions.memory.close();
      this.#inputEnded.resolve();
    });
    const hostLeft = new Promise<number>((resolve) => output.once("close", () => resolve(1)));
    try {
      for (const id of sessionsWithPrompts(this.#database)) this.#with(id, () => {});
      void this.#read(connection);
      const served = this.#inputEnded.promise.then(() => this.#sessions.finish());
      const code = await Promise.race([
        served.then(() => signals.received ?? (this.#host.lastFailed ? 1 : 0)),
        Promise.race([hostLeft, signals.lost]).then((cutOff) => {
          this.#host.hangUp();
          return cutOff;
        }),
      ]);
      return code;
    } finally {
      signals.stop();
      await this.#sessions.memory.close();
      const closed = connection.close();
      // Whoever ends us does not wait for a host that has stopped reading.
      const isPressed = this.#host.isSilent || signals.received !== undefined;
      await (isPressed ? Promise.race([closed, delay(LAST_WORDS_MS)]) : closed);
    }
  }

  /** Passes on what the host says; the end of it, too, comes in its turn. */
  async #read({ messages }: HostConnection): Promise<void> {
    const add = (message: HostMessage) => this.#arrivals.add(() => this.#take(message));
    this.#arrivals.catchUp = () => {
      for (let message = messages.take(); message; message = messages.take()) add(message);
    };
    for await (const message of messages) add(message);
    this.#arrivals.add(() => this.#inputEnded.resolve());
  }

  #take(message: HostMessage): void {
    switch (message.type) {
      case "user": {
        const id = message.session_id || this.#ownId;
        this.#with(
          id,
          (session) => this.#accept(message, session),
          (reason) => this.#turnDown(message, reason, id),
        );
        return;
      }
      case "assistant":
        this.#with(message.session_id || this.#ownId, ({ agent }) =>
          agent.runtime.session.recall(message.message.content),
        );
        return;
      case "update_environment_variables": {
        const applied = this.#sessions.all.map(({ agent }) => agent.runtime.renewTokens(message.variables));
        const { request_id } = message;
        if (request_id === undefined) return;
        const response = { applied: [...(applied[0] ?? [])] };
        this.#host.send({
          type: "control_response",
          response: { subtype: "success", request_id, response },
        });
        return;
      }
      case "unknown":
        this.#complain(`agentwire-agent: a message of unknown type ${message.raw_type} is ignored\n`);
    }
  }

  #accept(message: PromptMessage, { agent }: OpenSession): void {
    const { session, outlet } = agent.runtime;
    const { content, problems } = usableContent(message.message.content);
    for (const problem of problems) this.#refuse(problem, outlet.sessionId);
    if (content === undefined) {
      this.#turnDown(message, "The message has no content that can be used", outlet.sessionId);
      return;
    }
    const prompt = { ...toPrompt(message, randomUUID), content };
    try {
      const isNew = session.parts.inbox.add(prompt);
      // A repeated prompt is not answered again, but whoever wants receipts gets one.
      if (!isNew && this.#config.replayPrompts) session.replay(prompt);
    } catch (error) {
      const reason = `The message was not accepted, for it can't be stored: ${describeFailure(error)}`;
      this.#turnDown(message, reason, outlet.sessionId);
    }
  }

  /** Does something with a session, which is opened first if need be; whatever the host says next waits for that. */
  #with(
    id: string,
    work: (session: OpenSession) => void,
    refuse = (reason: string) => this.#refuse(reason, id),
  ): void {
    const session = this.#sessions.use(id);
    if (session) work(session);
    else if (id.length > MAX_ID_LENGTH) refuse(`A session_id has at most ${MAX_ID_LENGTH} characters`);
    else {
      const opened = this.#sessions.open(id).then(work, (error: unknown) => {
        refuse(`The session can't be opened: ${error instanceof Error ? error.message : error}`);
      });
      this.#arrivals.hold(opened);
    }
  }

  /** Says why a prompt has no turn; a host that has named it is told what became of it, too. */
  #turnDown({ uuid }: PromptMessage, reason: string, session_id: string): void {
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

  /** Requests name no session: they are for the one that runs, else for the one that was used last. */
  #handlers(): HostHandlers {
    const handlers = Object.keys(hostRequests).map((subtype) => [
      subtype,
      (request: never, context: RequestContext) =>
        this.#arrivals.inOrder(() => this.#pass(subtype as Subtype, request, context)),
    ]);
    return Object.fromEntries(handlers);
  }

  #pass(subtype: Subtype, request: never, context: RequestContext): unknown {
    const { current } = this.#sessions;
    if (subtype === "session_status") return this.#status(current);
    if (subtype === "end_session") return this.#end();
    if (current) return this.#answer(current, subtype, request, context);
    if (subtype === "interrupt") return { still_queued: [], interrupted: false };
    return new Promise((resolve, reject) => {
      this.#with(
        this.#ownId,
        (session) => resolve(this.#answer(session, subtype, request, context)),
        (reason) => reject(new ProtocolError("refused", reason)),
      );
    });
  }

  #answer(session: OpenSession, subtype: Subtype, request: never, context: RequestContext): unknown {
    const handler: AnyHandler | undefined = session.handlers[subtype];
    if (!handler) {
      const errorCode = "unsupported_request";
      throw new ProtocolError(errorCode, `this agent does not support ${subtype}`, { errorCode });
    }
    const { session: conversation } = session.agent.runtime;
    const runs = conversation.isRunning || conversation.parts.inbox.isServing;
    const answer = handler(request, context);
    // Hosts that tell an interrupt from one that came too late can't know it by themselves.
    if (subtype === "interrupt" && isJsonObject(answer)) return { ...answer, interrupted: runs };
    return subtype === "initialize"
      ? Promise.all([answer, this.#sessions.greet(request, session)]).then(([said]) => said)
      : answer;
  }

  #status(current: OpenSession | undefined): JsonObject {
    const { all } = this.#sessions;
    const runtime = current?.agent.runtime;
    return {
      ...(runtime ? sessionStatus(runtime) : { running: false, session_id: this.#ownId }),
      queued_messages: all.reduce((sum, { agent }) => sum + agent.runtime.session.parts.inbox.length, 0),
    };
  }

  #end(): JsonObject {
    for (const { agent } of this.#sessions.all) agent.runtime.session.end();
    this.#inputEnded.resolve();
    return {};
  }
}

/** Says nothing twice: what is wrong with the surroundings is found by every session that is opened. */
function once(complain: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    if (said.size < MAX_REMEMBERED) said.add(text);
    complain(text);
  };
}
