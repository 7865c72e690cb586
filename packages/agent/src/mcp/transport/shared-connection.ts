import { ProcessGroups } from "@agentwire/local/process";
import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { deferred } from "../../deferred.ts";
import { type Answer, OpenRequests } from "./open-requests.ts";
import { Questions } from "./questions.ts";
import type { SessionTransport } from "./session-transport.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Creates the transport of a connection; its processes belong to these groups. */
export type OpenConnection = (groups: ProcessGroups, log: Log) => Promise<Transport>;

/** How long a server is kept for a next session after the last one has left. */
const KEPT_MS = 5_000;
/** How much a session may have written that the server has not read. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const AMBIGUOUS =
  'several sessions share this server, and it can\'t be told which of them this is for; servers that ask must not be declared "shared"';

/**
 * One connection to a server that several sessions use as if each were alone: requests get ids that are unique on the connection,
 * and answers and progress go to the session that asked.
 */
export class SharedConnection {
  readonly key: string;
  /** Settles when the transport is connected or has failed. */
  readonly started: Promise<void>;
  readonly #onEnded: () => void;
  readonly #groups = new ProcessGroups();
  /** The sessions, each with the number of bytes it sent that the server has not read. */
  readonly #sessions = new Map<SessionTransport, number>();
  readonly #open = new OpenRequests();
  readonly #questions = new Questions();
  readonly #opened: Promise<Transport>;
  #transport: Transport | undefined;
  #handshake: Promise<Answer> | undefined;
  #isReady = false;
  #isRetired = false;
  #keeping: NodeJS.Timeout | undefined;
  #ending: Promise<void> | undefined;

  constructor(key: string, open: OpenConnection, onEnded: () => void) {
    this.key = key;
    this.#onEnded = onEnded;
    this.#opened = open(this.#groups, this.#log());
    this.started = this.#start();
    // Each session is notified by its own `start`.
    this.started.catch(() => {});
  }

  /** Whether no more sessions may join. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Why the server's process has ended, if it has one. */
  get endReason(): string | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.endReason : undefined;
  }

  join(session: SessionTransport): void {
    clearTimeout(this.#keeping);
    this.#sessions.set(session, 0);
  }

  /** Cancels a session's open requests. The server ends some time after its last session. */
  leave(session: SessionTransport): void {
    if (!this.#sessions.has(session)) return;
    for (const requestId of this.#open.idsOf(session)) {
      this.#open.take(requestId);
      const params = { requestId, reason: "the session that asked has ended" };
      this.#tell({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    for (const id of this.#questions.leave(session)) this.#refuse(id, "the session has ended");
    this.#sessions.delete(session);
    if (this.#sessions.size > 0) return;
    if (this.#isRetired || !this.#isReady) void this.end();
    else this.#keeping = setTimeout(() => void this.end(), KEPT_MS).unref();
  }

  retire(): void {
    this.#isRetired = true;
    if (this.#sessions.size === 0) void this.end();
  }

  /** Ends the server; resolves when it is completely gone. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async send(session: SessionTransport, message: JSONRPCMessage): Promise<void> {
    if (!this.#sessions.has(session)) throw new Error("the connection is closed");
    if (!("method" in message)) {
      if (!this.#questions.isOf(session, message.id)) return;
      this.#questions.take(message.id);
      await this.#write(session, message);
    } else if (!("id" in message)) await this.#notify(session, message);
    else if (message.method === "initialize") await this.#initialize(session, message);
    else await this.#request(session, message);
  }

  async #start(): Promise<void> {
    try {
      const transport = await this.#opened;
      transport.onmessage = (message) => this.#receive(message);
      transport.onclose = () => this.#closed();
      transport.onerror = (error) => {
        // Open requests may be lost with it; each session decides whether to reconnect.
        this.retire();
        for (const session of [...this.#sessions.keys()]) session.onerror?.(error);
      };
      this.#transport = transport;
      await transport.start();
      // The connection was ended before its transport was there to close.
      if (this.#ending) await this.#close(transport);
    } catch (error) {
      this.retire();
      throw error;
    }
  }

  async #end(): Promise<void> {
    this.#isRetired = true;
    clearTimeout(this.#keeping);
    const transport = await this.#opened.catch(() => undefined);
    if (transport) await this.#close(transport);
    this.#onEnded();
  }

  async #close(transport: Transport): Promise<void> {
    await transport.close();
    await this.#groups.endAll();
  }

  #closed(): void {
    const sessions = [...this.#sessions.keys()];
    this.#sessions.clear();
    this.#open.clear();
    void this.end();
    for (const session of sessions) session.closed();
  }

  /**
   * The first session performs the handshake; all others get the same answer, because the agent is the same program for all of
   * them.
   */
  async #initialize(session: SessionTransport, request: JSONRPCRequest): Promise<void> {
    this.#handshake ??= this.#makeHandshake(session, request);
    const answer = await this.#handshake;
    if (this.#sessions.has(session)) session.onmessage?.({ ...answer, id: request.id });
  }

  async #makeHandshake(session: SessionTransport, request: JSONRPCRequest): Promise<Answer> {
    try {
      const answered = deferred<Answer>();
      await this.#write(session, this.#open.add(undefined, request, answered.resolve));
      const answer = await answered.promise;
      if ("error" in answer) {
        this.retire();
        return answer;
      }
      const { protocolVersion } = answer.result;
      if (typeof protocolVersion === "string") this.#transport?.setProtocolVersion?.(protocolVersion);
      await this.#write(session, { jsonrpc: "2.0", method: "notifications/initialized" });
      this.#isReady = true;
      return answer;
    } catch (error) {
      this.retire();
      throw error;
    }
  }

  async #request(session: SessionTransport, request: JSONRPCRequest): Promise<void> {
    const sent = this.#open.add(session, request, (message) =>
      session.onmessage?.({ ...message, id: request.id }),
    );
    try {
      await this.#write(session, sent);
    } catch (error) {
      this.#open.take(sent.id);
      throw error;
    }
  }

  async #notify(session: SessionTransport, notification: JSONRPCNotification): Promise<void> {
    const { method, params } = notification;
    // Sent once, with the handshake.
    if (method === "notifications/initialized") return;
    if (method !== "notifications/cancelled") return await this.#write(session, notification);
    const requestId = this.#open.idOf(session, params?.requestId);
    if (requestId === undefined) return;
    this.#open.take(requestId);
    await this.#write(session, { ...notification, params: { ...params, requestId } });
  }

  #receive(message: JSONRPCMessage): void {
    if ("method" in message) {
      if ("id" in message) this.#ask(message);
      else this.#announce(message);
      return;
    }
    this.#open.take(message.id)?.answer(message);
  }

  /** Passes a request of the server to the session that it must concern. */
  #ask(request: JSONRPCRequest): void {
    const { id, method } = request;
    if (method === "ping") {
      this.#tell({ jsonrpc: "2.0", id, result: {} });
      return;
    }
    const asked = this.#whoIsMeant(method);
    if (!asked) {
      this.#refuse(id, AMBIGUOUS);
      return;
    }
    this.#questions.hand(request, asked);
    asked.onmessage?.(request);
  }

  #whoIsMeant(method: string): SessionTransport | undefined {
    const all = [...this.#sessions.keys()];
    // All sessions that share a program are in the same folder.
    if (method === "roots/list" && this.#transport instanceof StdioTransport) return all[0];
    const waiting = this.#open.waiting();
    return waiting.size === 1 ? [...waiting][0] : all.length === 1 ? all[0] : undefined;
  }

  /** Passes a notification on to all sessions, unless it concerns the request of a single one. */
  #announce(notification: JSONRPCNotification): void {
    const { method, params } = notification;
    if (method === "notifications/progress") {
      const { session, progressToken } = this.#open.reporting(params?.progressToken) ?? {};
      session?.onmessage?.({ ...notification, params: { ...params, progressToken } } as JSONRPCNotification);
    } else if (method === "notifications/cancelled") {
      this.#questions.take(params?.requestId)?.onmessage?.(notification);
    } else if (method === "notifications/elicitation/complete") {
      this.#questions.takePage(params?.elicitationId)?.onmessage?.(notification);
    } else for (const session of [...this.#sessions.keys()]) session.onmessage?.(notification);
  }

  #refuse(id: RequestId, message: string): void {
    this.#questions.take(id);
    this.#tell({ jsonrpc: "2.0", id, error: { code: -32603, message } });
  }

  /** Sends a message on behalf of no particular session. */
  #tell(message: JSONRPCMessage): void {
    this.#transport?.send(message).catch(() => {});
  }

  async #write(session: SessionTransport, message: JSONRPCMessage): Promise<void> {
    if (!this.#transport) throw new Error("the server was not started");
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const unread = this.#sessions.get(session) ?? 0;
    if (unread > 0 && unread + bytes > MAX_UNREAD_BYTES)
      throw new Error(
        `the server has not read ${unread} bytes that this session has sent before, and may leave ${MAX_UNREAD_BYTES}`,
      );
    this.#count(session, bytes);
    try {
      await this.#transport.send(message);
    } catch (error) {
      this.retire();
      throw error;
    } finally {
      this.#count(session, -bytes);
    }
  }

  #count(session: SessionTransport, bytes: number): void {
    const unread = this.#sessions.get(session);
    if (unread !== undefined) this.#sessions.set(session, unread + bytes);
  }

  /** The server's stderr is logged by every session that uses it. */
  #log(): Log {
    const toAll =
      (level: keyof Log): Log["debug"] =>
      (...said) => {
        for (const { log } of this.#sessions.keys()) log[level](...said);
      };
    return { debug: toAll("debug"), info: toAll("info"), warn: toAll("warn"), error: toAll("error") };
  }
}
