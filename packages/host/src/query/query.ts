import type { hostRequests, RequestOf, ResponseOf } from "@agentwire/protocol/control";
import { registerHooks } from "../hosted/hook-registry.ts";
import { HostedServers, splitServers } from "../hosted/hosted-servers.ts";
import { type HostFeatures, initializeOf } from "../options/initialize.ts";
import { requestDeadline, requireRequest } from "../options/version-gates.ts";
import type { AgentInfo } from "../sdk/agents.ts";
import type { AccountInfo, ModelInfo, SlashCommand } from "../sdk/catalog.ts";
import type { SDKControlInitializeResponse } from "../sdk/control-answers.ts";
import type { SDKUserMessage } from "../sdk/conversation-messages.ts";
import type { McpServerConfig, McpSetServersResult } from "../sdk/mcp.ts";
import type { SDKMessage } from "../sdk/messages.ts";
import type { QueryOptions } from "../sdk/own-options.ts";
import type { Prompt, Query, SpareProcess } from "../sdk/query.ts";
import { mirrorError } from "../store/transcript-mirror.ts";
import { endingError, rootReason } from "./ending-error.ts";
import { Inbox } from "./inbox.ts";
import { sendPrompts } from "./prompts.ts";
import { type Running, type RunningContext, startAgent } from "./running.ts";
import { UndeclaredControls } from "./undeclared-controls.ts";

type Asks = typeof hostRequests;
type Claim = Awaited<SpareProcess["claimed"]>;
type Next = IteratorResult<SDKMessage, void>;

const DONE: Next = { done: true, value: undefined };

/** A session driven like `query()` of the official SDK: its messages as they come, and requests to the running agent. */
export class AgentQuery extends UndeclaredControls implements Query {
  readonly #options: QueryOptions;
  readonly #hosting: HostFeatures;
  readonly #starting: Promise<Running>;
  readonly #inbox = new Inbox();
  #running: Running | undefined;
  #initialized: Promise<SDKControlInitializeResponse>;
  /** Prompt streams that have not ended. */
  #streams = 0;
  #failure: unknown;
  #isOver = false;
  #closing: Promise<void> | undefined;

  constructor(options: QueryOptions, context: Omit<RunningContext, "onMirrorFailure">) {
    super();
    this.#options = options;
    const servers = new HostedServers(splitServers(options.mcpServers).hosted, (server_name, message) => {
      this.ask("mcp_message", { server_name, message }).catch(() => undefined);
    });
    this.#hosting = { hooks: registerHooks(options.hooks), servers };
    this.#starting = startAgent(options, this.#hosting, {
      ...context,
      onMirrorFailure: (failure) => this.#inbox.add(mirrorError(failure)),
    });
    this.#initialized = this.#starting.then(({ initialized }) => initialized);
    this.#initialized.catch(() => undefined);
    this.#starting.then(
      (running) => this.#started(running),
      () => undefined,
    );
  }

  /** Sends prompts; when there are no more and nothing is open, ends the agent's input. A stream that throws ends the query. */
  async send(prompt: Prompt): Promise<void> {
    try {
      await this.#feed(prompt);
      await this.#promptsEnded();
    } catch (error) {
      this.#fail(error);
    }
  }

  next(): Promise<Next> {
    // One promise per waiting message: a reader that lags behind spends most of its time on promises.
    const message = this.#take();
    return message === undefined ? this.#wait() : Promise.resolve({ done: false, value: message });
  }

  async return(value?: unknown): Promise<Next> {
    await this.#close();
    return { done: true, value: (await value) as undefined };
  }

  async throw(error: unknown): Promise<Next> {
    await this.#close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  close(): void {
    void this.#close();
  }

  isClosed(): boolean {
    return this.#isOver;
  }

  async initializationResult(): Promise<SDKControlInitializeResponse> {
    const { version } = await this.#starting;
    requireRequest("initialize", version);
    return await this.#initialized;
  }

  async reinitialize(): Promise<SDKControlInitializeResponse> {
    await this.#starting;
    const answer = await this.ask("initialize", initializeOf(this.#options, this.#hosting));
    return answer as SDKControlInitializeResponse;
  }

  async supportedCommands(): Promise<SlashCommand[]> {
    const { commands } = await this.initializationResult();
    return this.#inbox.commands ?? commands;
  }

  async supportedModels(): Promise<ModelInfo[]> {
    return (await this.initializationResult()).models;
  }

  async supportedAgents(): Promise<AgentInfo[]> {
    return (await this.initializationResult()).agents;
  }

  async accountInfo(): Promise<AccountInfo> {
    return (await this.initializationResult()).account;
  }

  async setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    const { hosted, others } = splitServers(servers);
    // Servers added while `initialize` is being prepared would be part of it, and would not count as added.
    await this.#starting;
    const all = { ...others, ...(await this.#hosting.servers.replace(hosted)) };
    const params = { servers: all } as RequestOf<Asks, "mcp_set_servers">;
    return (await this.ask("mcp_set_servers", params)) as McpSetServersResult;
  }

  async streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    try {
      await this.#feed(stream);
    } catch (error) {
      // The caller gets the error, and the session continues with the prompts it has.
      this.#promptsEnded().catch(() => undefined);
      throw error;
    }
    await this.#promptsEnded();
  }

  /** Waits until the agent is set up, and keeps the messages that arrive until then; `onMessage` is called for each. */
  async setUp(onMessage: (message: SDKMessage) => void): Promise<void> {
    const running = await this.#starting;
    let isSetUp = false;
    const answered = running.initialized.then(() => {
      isSetUp = true;
    });
    while (!isSetUp) {
      await Promise.race([answered, running.link.messages.ready()]);
      this.#inbox.keep(running, onMessage);
      // An agent whose messages have ended can't answer any more: the answer is then an error.
      if (!(await Promise.race([running.link.messages.ready(), answered.then(() => true)]))) await answered;
    }
  }

  /** Binds a prewarmed agent to a session; what the agent reports about itself then belongs to that session. */
  async claim(params: RequestOf<Asks, "claim_session">): Promise<Claim> {
    const answer = this.ask("claim_session", params);
    const before = this.#initialized;
    this.#initialized = answer.then(
      async ({ initialize }) => ({ ...(await before), ...initialize }) as SDKControlInitializeResponse,
      () => before,
    );
    this.#initialized.catch(() => undefined);
    const { cwd, session_id, parked_ms, sdk_mcp_settled } = await answer;
    return {
      cwd,
      sessionId: session_id,
      ...(parked_ms !== undefined && { parkedMs: parked_ms }),
      sdkMcpSettled: sdk_mcp_settled,
    };
  }

  /** Ends the agent's input; the agent finishes what it has begun. */
  endInput(): void {
    this.#running?.link.endInput();
  }

  /** Resolves when the agent's process is gone. */
  async gone(): Promise<void> {
    const running = await this.#starting.catch(() => undefined);
    await running?.link.ended;
  }

  protected override async ask<S extends keyof Asks & string>(
    subtype: S,
    params: RequestOf<Asks, S>,
  ): Promise<ResponseOf<Asks, S>> {
    const { link, version } = await this.#starting;
    requireRequest(subtype, version);
    const deadlineMs = requestDeadline(subtype, this.#options.agentwire?.deadlines);
    return await link.request(subtype, params, { deadlineMs });
  }

  protected override givesReceipts(): boolean {
    return this.#running?.givesReceipts ?? true;
  }

  #started(running: Running): void {
    this.#running = running;
    for (const promise of [running.ready, running.honored])
      promise.catch((error: unknown) => this.#fail(error));
    if (this.#isOver) void running.link.close();
  }

  async #feed(prompt: Prompt): Promise<void> {
    this.#streams++;
    try {
      const { link, ready } = await this.#starting;
      await ready;
      await sendPrompts(link, prompt, this.#options.verbatimPrompts === true);
    } finally {
      this.#streams--;
    }
  }

  /** Called at the end of each stream of prompts: after the last one, ends the agent's input as soon as nothing is open. */
  async #promptsEnded(): Promise<void> {
    const { link } = await this.#starting;
    if (this.#streams === 0) await link.settled();
    if (this.#streams === 0) link.endInput();
  }

  #take(): SDKMessage | undefined {
    return this.#isOver ? undefined : this.#inbox.take(this.#running);
  }

  async #wait(): Promise<Next> {
    for (;;) {
      if (this.#isOver) return DONE;
      const running = this.#running ?? (await this.#start());
      if (this.#inbox.isHolding) await this.#inbox.release(running);
      const message = this.#take();
      if (message) return { done: false, value: message };
      if (!this.#inbox.isHolding && !(await running.link.messages.ready())) return await this.#end(running);
    }
  }

  async #start(): Promise<Running> {
    try {
      return await this.#starting;
    } catch (error) {
      this.#over();
      throw endingError(error, undefined);
    }
  }

  async #end(running: Running): Promise<Next> {
    await this.#inbox.release(running);
    const last = this.#take();
    if (last) return { done: false, value: last };
    const { error } = await running.link.ended;
    const failure = rootReason(this.#failure, error);
    this.#over();
    if (failure !== undefined) throw endingError(failure, this.#inbox.errorText);
    return DONE;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    void this.#running?.link.close();
  }

  #close(): Promise<void> {
    this.#over();
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    const running = this.#running ?? (await this.#starting.catch(() => undefined));
    if (!running) return;
    this.#inbox.discard(running);
    // A slow store must not keep the agent alive.
    await Promise.all([running.mirror?.flush(), running.link.close()]);
  }

  #over(): void {
    this.#isOver = true;
    this.#hosting.servers.close();
  }
}
