import type { JsonObject } from "@agentwire/protocol";
import type { McpServerConfig, McpServerStatus } from "@agentwire/protocol/control";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { withGrace } from "../abort.ts";
import { OutOfTime, withTimeout } from "./deadline.ts";
import { BrokenLink, errorText, type Failure, failureOf, isLost, wasClosed } from "./failure.ts";
import { type Link, openLink, type RequestOptions } from "./link.ts";
import { NO_OFFER, type Offer, readOffer } from "./listing.ts";
import type { Manifest } from "./manifest.ts";
import type { McpOptions } from "./options.ts";
import type { McpScope } from "./servers.ts";
import { serverStatus } from "./status.ts";
import { HostTransport } from "./transport/host-transport.ts";
import { endReason, openTransport } from "./transport/open-transport.ts";
import { SessionTransport } from "./transport/session-transport.ts";

type State =
  | { readonly kind: "pending"; readonly stop: AbortController; readonly done: Promise<void> }
  | { readonly kind: "connected"; readonly link: Link; readonly transport: Transport; readonly offer: Offer }
  | Failure
  | { readonly kind: "disabled" };

/** One configured server, across all its connections. */
export class Server {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly scope: McpScope;
  readonly #options: McpOptions;
  #state: State = { kind: "disabled" };
  #hostTransport: HostTransport | undefined;
  /** Whether to reconnect after losing the connection: not if the previous attempt brought no answer either. */
  #isWorthReviving = true;
  /** The offer from before the connection was lost: it remains available, and using it reconnects. */
  #lastOffer: Offer | undefined;

  constructor(name: string, config: McpServerConfig, scope: McpScope, options: McpOptions) {
    this.name = name;
    this.config = config;
    this.scope = scope;
    this.#options = options;
  }

  get isInHost(): boolean {
    return this.config.type === "sdk";
  }

  get offer(): Offer {
    return this.#state.kind === "connected" ? this.#state.offer : (this.#lastOffer ?? NO_OFFER);
  }

  /** The server's usage instructions; empty while it is not connected. */
  get instructions(): string {
    return this.#state.kind === "connected" ? this.#state.link.instructions : "";
  }

  get hasResources(): boolean {
    return this.#state.kind === "connected" && this.#state.link.capabilities.resources !== undefined;
  }

  /** The current attempt to connect, if any. */
  get connecting(): Promise<void> | undefined {
    return this.#state.kind === "pending" ? this.#state.done : undefined;
  }

  /** Why the server can't be used; undefined while it can be, or may become usable. */
  get problem(): string | undefined {
    if (this.#state.kind === "disabled") return "it is disabled";
    return "error" in this.#state ? this.#state.error : undefined;
  }

  get isConnected(): boolean {
    return this.#state.kind === "connected";
  }

  status(): McpServerStatus {
    const info = this.#state.kind === "connected" ? this.#state.link.info : undefined;
    const error = "error" in this.#state ? this.#state.error : undefined;
    return serverStatus(this, this.#state.kind, { info, error, tools: this.offer.tools });
  }

  /** Connects or reconnects. Never rejects: `problem` has the result. */
  connect(manifest?: Manifest): Promise<void> {
    // Reconnecting must open a new connection, not join the one that other sessions still use.
    if (this.#state.kind === "connected" && this.#state.transport instanceof SessionTransport)
      this.#state.transport.retire();
    const left = this.#leave();
    const stop = new AbortController();
    const done = left.then(() => this.#connect(stop.signal, manifest));
    this.#state = { kind: "pending", stop, done };
    return done;
  }

  /** Closes the connection and ends the process behind it; `connect` restores it. */
  async disable(): Promise<void> {
    const hadOffer = this.offer !== NO_OFFER;
    this.#lastOffer = undefined;
    const left = this.#leave();
    this.#state = { kind: "disabled" };
    if (hadOffer) this.#options.onToolsChanged?.();
    await left;
  }

  /** Sends a request to the server; rejects with a text for people. */
  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    if (this.#lastOffer) await withGrace(this.connecting ?? this.connect(), options.signal);
    const state = this.#state;
    if (state.kind !== "connected") {
      throw new Error(`The MCP server ${this.name} is not connected: ${this.problem ?? "it is connecting"}.`);
    }
    try {
      const result = await state.link.request(method, params, options);
      this.#isWorthReviving = true;
      return result;
    } catch (error) {
      options.signal.throwIfAborted();
      const isLinkLost = this.#isRemote && error instanceof BrokenLink && isLost(error);
      if (isLinkLost) this.#lose(state.transport, error.message);
      throw new Error(`The MCP server ${this.name} failed: ${errorText(error)}`, { cause: error });
    }
  }

  /** Receives a message that the server sent unprompted through the host. */
  receive(message: JsonObject): void {
    this.#hostTransport?.receive(message);
  }

  get #isRemote(): boolean {
    return this.config.type === "http" || this.config.type === "sse";
  }

  /** Leaves the current state; resolves when nothing of it is still running. */
  async #leave(): Promise<void> {
    const state = this.#state;
    if (state.kind === "pending") {
      state.stop.abort(new Error("the connection is no longer wanted"));
      await state.done;
    } else if (state.kind === "connected") {
      this.#state = { kind: "disabled" };
      await state.link.close();
    }
  }

  async #connect(stop: AbortSignal, manifest: Manifest | undefined): Promise<void> {
    const { connectTimeoutMs } = this.#options;
    // Try once more if a host did not answer in time, as the official agent does, or if a remote server had closed the connection
    // that was kept open for it.
    for (let attempts = this.isInHost || this.#isRemote ? 2 : 1; ; attempts--) {
      try {
        const opened = await withTimeout(connectTimeoutMs, (signal) => this.#open(signal, manifest), stop);
        if (stop.aborted) return await opened.link.close();
        this.#state = { kind: "connected", ...opened };
        this.#lastOffer = undefined;
        break;
      } catch (error) {
        if (stop.aborted) return;
        if (attempts > 1 && (this.isInHost ? error instanceof OutOfTime : wasClosed(error))) continue;
        this.#lastOffer = undefined;
        this.#fail(failureOf(error));
        break;
      }
    }
    this.#options.onToolsChanged?.();
  }

  async #open(signal: AbortSignal, manifest: Manifest | undefined) {
    const { log, cwd, version, connectTimeoutMs, onElicitation, onElicitationComplete } = this.#options;
    const transport = await openTransport(this.name, this, this.#options, manifest);
    this.#hostTransport = transport instanceof HostTransport ? transport : undefined;
    const refresh = coalesce(() => this.#refresh(transport));
    const link = await openLink(
      transport,
      {
        server: this.name,
        inHost: this.isInHost,
        version,
        cwd,
        timeoutMs: connectTimeoutMs,
        log,
        onElicitation,
        onElicitationComplete,
        onListChanged: refresh,
        onClose: () => this.#lose(transport, endReason(transport) ?? "the connection was closed"),
      },
      signal,
    );
    try {
      return { link, transport, offer: await readOffer(link, signal) };
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  async #refresh(transport: Transport): Promise<void> {
    const state = this.#state;
    if (state.kind !== "connected" || state.transport !== transport) return;
    try {
      const offer = await readOffer(state.link, new AbortController().signal);
      if (this.#state !== state) return;
      this.#state = { ...state, offer };
      this.#options.onToolsChanged?.();
    } catch (error) {
      this.#options.log.warn("an MCP server did not list its tools again", { server: this.name, error });
    }
  }

  /** The connection over `transport` was lost, and not because this side closed it. */
  #lose(transport: Transport, reason: string): void {
    const state = this.#state;
    if (state.kind !== "connected" || state.transport !== transport) return;
    if (!this.isInHost) this.#lastOffer = state.offer;
    if (!this.isInHost && this.#isWorthReviving) {
      this.#isWorthReviving = false;
      void this.connect();
      return;
    }
    this.#fail({ kind: "failed", error: reason });
    this.#options.onToolsChanged?.();
    void state.link.close();
  }

  #fail(failure: Failure): void {
    this.#state = failure;
    this.#options.log.warn("an MCP server can't be used", { server: this.name, error: failure.error });
  }
}

/** Returns a trigger that runs `work`, never twice at once: any number of triggers during a run cause one more run. */
function coalesce(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return () => {
    again = true;
    if (running) return;
    running = true;
    void (async () => {
      try {
        while (again) {
          again = false;
          await work();
        }
      } finally {
        running = false;
      }
    })();
  };
}
