import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { Malformed } from "../../lines/malformed.ts";
import { idFromHead, RPC_ERRORS, type RpcId, rpcError, rpcId, rpcResult } from "../jsonrpc/envelope.ts";
import { brief, objectAt, stringAt } from "../spelling.ts";
import { AcpAgent } from "./agent.ts";
import { ACP_ERRORS, EXTENSION } from "./calls.ts";

/** The maximum number of open sessions per connection; an editor has a few. */
const MAX_SESSIONS = 64;

/** The methods that need an open session. */
const OF_SESSIONS: ReadonlySet<string> = new Set([
  "session/prompt",
  "session/set_mode",
  "session/set_config_option",
  "session/close",
  EXTENSION.request,
]);

const OPENING: ReadonlySet<string> = new Set(["session/new", "session/load", "session/resume"]);

/** One session behind a router; it speaks the protocol as if it had the connection to itself. */
export interface AcpPort {
  take(line: JsonObject): void;
  /** The session is no longer wanted; resolves when it has ended. */
  close(): Promise<void>;
}

/** A session that a client wants to open. */
export interface AcpOpening {
  readonly method: string;
  readonly params: JsonObject;
  /** Forwards a line of the session. */
  write(line: JsonObject): void;
  /** The session is over; if it was never open, this is the reason. */
  ended(reason: string): void;
}

/** The dependencies of a router. */
export interface AcpRouterOptions {
  readonly write: (line: JsonObject) => void;
  /** Opens a session; throws if that fails. */
  readonly open: (opening: AcpOpening) => Promise<AcpPort>;
  /** Answers `session/list`, if sessions can be listed. */
  readonly list?: (params: JsonObject) => Promise<JsonObject>;
}

interface Routed {
  readonly name: string;
  port: AcpPort | undefined;
  /** Lines for a session that is still opening. */
  readonly waiting: JsonObject[];
  /** Requests passed to it that have no answer yet, with their methods. */
  readonly asked: Map<RpcId, string>;
  /** Whether to close it as soon as it is open. */
  isClosing: boolean;
  /** Answers that the client must not see: each session is greeted, the client only once. */
  readonly unwanted: Set<unknown>;
}

/**
 * Many sessions on one connection of the Agent Client Protocol. Routes lines to their sessions and renames
 * requests so that their ids don't clash.
 */
export class AcpRouter {
  readonly #options: AcpRouterOptions;
  readonly #sessions = new Set<Routed>();
  readonly #byId = new Map<string, Routed>();
  /** The client's introduction, which is repeated to each session. */
  #greeting: JsonObject | undefined;
  #opened = 0;
  /** Settles when no session is being opened. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(options: AcpRouterOptions) {
    this.#options = options;
  }

  /** Takes a line from the client. */
  take(line: JsonObject | Malformed): void {
    if (line instanceof Malformed) {
      const isText = line.code === "not_json" || line.code === "invalid_utf8";
      this.#refuse(
        idFromHead(line.head),
        isText ? RPC_ERRORS.badJson : RPC_ERRORS.invalidRequest,
        line.reason,
      );
      return;
    }
    const { method } = line;
    const params = objectAt(line, "params");
    if (typeof method !== "string") this.#answered(line);
    else if (rpcId(line.id) === undefined && "id" in line)
      this.#refuse(null, RPC_ERRORS.invalidRequest, "an id must be a string or a number");
    else if (method === "initialize") this.#greet(line);
    else if (method === "authenticate") this.#options.write(rpcResult(rpcId(line.id) ?? null, {}));
    else if (method === "session/list") void this.#list(line, params);
    else if (OPENING.has(method))
      this.#opening = Promise.all([this.#opening, this.#open(line, method, params)]);
    else if (method === "$/cancel_request") for (const session of this.#sessions) give(session, line);
    else this.#pass(line, params);
  }

  /** The client has gone: all sessions end. */
  async close(): Promise<void> {
    await this.#opening;
    await Promise.all([...this.#sessions].map(({ port }) => port?.close()));
  }

  #greet(line: JsonObject): void {
    this.#greeting = line;
    const { list, write } = this.#options;
    const reply = (value: unknown) => write(list ? withList(value as JsonObject) : (value as JsonObject));
    new AcpAgent().decode(line, { message: ignore, repaired: ignore, malformed: ignore, reply });
  }

  async #list(line: JsonObject, params: JsonObject): Promise<void> {
    const { list, write } = this.#options;
    const id = rpcId(line.id) ?? null;
    if (!list) return this.#refuse(id, RPC_ERRORS.unknownMethod, "sessions can't be listed");
    try {
      write(rpcResult(id, await list(params)));
    } catch (error) {
      this.#refuse(id, RPC_ERRORS.internal, (error as Error).message);
    }
  }

  async #open(line: JsonObject, method: string, params: JsonObject): Promise<void> {
    const id = rpcId(line.id) ?? null;
    const fault = faultOf(method, params);
    if (fault !== undefined) return this.#refuse(id, RPC_ERRORS.badParams, fault);
    if (this.#sessions.size >= MAX_SESSIONS)
      return this.#refuse(id, RPC_ERRORS.internal, `${MAX_SESSIONS} sessions are open: close one first`);
    const session: Routed = {
      name: String(++this.#opened),
      port: undefined,
      waiting: [],
      asked: new Map(),
      isClosing: false,
      unwanted: new Set(),
    };
    const wanted = method === "session/new" ? undefined : stringAt(params, "sessionId");
    let isOpen = false;
    const leave = (reason: string) => {
      this.#forget(session);
      if (!isOpen) this.#refuse(id, RPC_ERRORS.internal, reason);
      isOpen = true;
      session.port = undefined;
      this.#settleAll(session, reason);
      for (const line of session.waiting.splice(0)) this.#pass(line, objectAt(line, "params"));
    };
    const write = (said: JsonObject) => {
      if (!("method" in said) && said.id === id && !isOpen) {
        isOpen = !("error" in said);
        const opened = stringAt(objectAt(said, "result"), "sessionId") ?? wanted;
        if (isOpen && opened !== undefined) this.#byId.set(opened, session);
      }
      this.#write(session, said);
    };
    this.#sessions.add(session);
    if (wanted !== undefined) this.#byId.set(wanted, session);
    try {
      session.port = await this.#options.open({ method, params, write, ended: leave });
    } catch (error) {
      leave((error as Error).message);
      return;
    }
    if (this.#greeting) {
      session.unwanted.add(this.#greeting.id);
      session.port.take(this.#greeting);
    }
    session.port.take(line);
    for (const waiting of session.waiting.splice(0)) give(session, waiting);
    if (session.isClosing) void session.port?.close();
  }

  /** A session has ended: its open requests are answered, and later answers of its own are dropped. */
  #settleAll({ asked, unwanted }: Routed, reason: string): void {
    for (const [id, method] of asked) {
      unwanted.add(id);
      if (method === "session/close") this.#options.write(rpcResult(id, {}));
      else this.#refuse(id, RPC_ERRORS.internal, reason);
    }
    asked.clear();
  }

  #pass(line: JsonObject, params: JsonObject): void {
    const id = stringAt(params, "sessionId") ?? "";
    const session = this.#byId.get(id);
    const method = String(line.method);
    if (!session) {
      if (line.id === undefined) return;
      const isKnown = OF_SESSIONS.has(method);
      const reason = isKnown
        ? `there is no open session ${JSON.stringify(id)}`
        : `unknown method ${brief(method)}`;
      const code = isKnown ? ACP_ERRORS.notFound : RPC_ERRORS.unknownMethod;
      this.#refuse(rpcId(line.id) ?? null, code, reason);
      return;
    }
    give(session, line);
    if (method !== "session/close") return;
    // It may take a while to end; nothing more is routed to it.
    this.#byId.delete(id);
    session.isClosing = true;
    void session.port?.close();
  }

  /** An answer goes to the session that asked, whose name is part of the request's id. */
  #answered(line: JsonObject): void {
    if (!("result" in line || "error" in line)) {
      this.#refuse(rpcId(line.id) ?? null, RPC_ERRORS.invalidRequest, "a request needs a method");
      return;
    }
    const [name, id] = String(line.id).split(":");
    for (const session of this.#sessions)
      if (session.name === name && id !== undefined) give(session, { ...line, id: Number(id) });
  }

  #write({ name, unwanted, asked }: Routed, line: JsonObject): void {
    const { write } = this.#options;
    const { id, method, params } = line;
    if (typeof method !== "string") {
      asked.delete(rpcId(id) ?? null);
      if (!unwanted.delete(id)) write(line);
    } else if (id !== undefined) write({ ...line, id: `${name}:${id}` });
    else if (method === "$/cancel_request" && isJsonObject(params))
      write({ ...line, params: { ...params, requestId: `${name}:${params.requestId}` } });
    else write(line);
  }

  #forget(session: Routed): void {
    this.#sessions.delete(session);
    for (const [id, known] of this.#byId) if (known === session) this.#byId.delete(id);
  }

  #refuse(id: RpcId, code: number, reason: string): void {
    this.#options.write(rpcError(id, code, reason));
  }
}

function give({ port, waiting, asked }: Routed, line: JsonObject): void {
  const id = rpcId(line.id);
  if (!port) waiting.push(line);
  else {
    if (id !== undefined && typeof line.method === "string") asked.set(id, line.method);
    port.take(line);
  }
}

/** What is wrong with the parameters of a session to be opened; undefined if nothing is. */
function faultOf(method: string, { cwd, sessionId }: JsonObject): string | undefined {
  if (method !== "session/new" && (typeof sessionId !== "string" || sessionId === ""))
    return "sessionId: give a session id";
  return typeof cwd === "string" && isAbsolute(cwd) ? undefined : "cwd: give an absolute path";
}

const ignore = () => {};

/** Adds the ability to list sessions to an agent's greeting. */
function withList(line: JsonObject): JsonObject {
  const result = objectAt(line, "result");
  const capabilities = objectAt(result, "agentCapabilities");
  const sessionCapabilities = { ...objectAt(capabilities, "sessionCapabilities"), list: {} };
  return { ...line, result: { ...result, agentCapabilities: { ...capabilities, sessionCapabilities } } };
}
