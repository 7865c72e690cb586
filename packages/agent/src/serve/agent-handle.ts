import { isDeepStrictEqual } from "node:util";
import {
  type Handlers,
  isJsonObject,
  type JsonObject,
  ProtocolError,
  type RequestContext,
} from "@agentwire/protocol";
import {
  hostRequests,
  type RequestOf,
  type ResponseOf,
  unsupportedRequest,
} from "@agentwire/protocol/control";
import type { Config } from "../config/config.ts";
import { withKeepAlive } from "../control/keep-alive.ts";
import { controls } from "../control/table.ts";
import { deferred } from "../deferred.ts";
import type { HostLink } from "../host/host-link.ts";
import { type AssembleResult, assemble, type ReadyAgent } from "../session/assemble.ts";
import { HostInput } from "../session/host-input.ts";
import type { StartupError } from "../session/session-settings.ts";
import { type Claim, claimedConfig, unclaimable } from "./claim.ts";

type Requests = typeof hostRequests;
type Initialize = RequestOf<Requests, "initialize">;
type AnyHandler = (request: object, context: RequestContext) => unknown;

/**
 * Routes the host's requests to the agent. Usually the agent is created at the start; if `initialize` brings the administrator's
 * settings, it is created then, and a spare is replaced by the agent of the session that claims it.
 */
export class AgentHandle {
  readonly #config: Config;
  readonly #host: HostLink;
  readonly #complain: (text: string) => void;
  readonly hostInput = new HostInput();
  readonly #serving = deferred<ReadyAgent>();
  #agent: ReadyAgent | undefined;
  #controls: { readonly [subtype: string]: AnyHandler | undefined } = {};
  /** The administrator's settings that the agent was created with. */
  #policy: JsonObject | undefined;
  #isSpare: boolean;
  #isEnding = false;
  /** The `initialize` that a spare received, for the agent that replaces it. */
  #greeting: Initialize = {};
  readonly #flagSettings: JsonObject[] = [];
  /** Whether the first agent is still being created. */
  #isOpening = false;
  /** Settles when the agent that replaces a spare is ready, or has failed. */
  #changing: Promise<unknown> | undefined;

  constructor(config: Config, host: HostLink, complain: (text: string) => void) {
    this.#config = config;
    this.#host = host;
    this.#complain = complain;
    this.#isSpare = config.awaitsClaim;
  }

  /** The agent that takes prompts, if it exists yet. */
  get agent(): ReadyAgent | undefined {
    return this.#isSpare ? undefined : this.#agent;
  }

  /** Resolves with the agent that takes prompts. */
  get serving(): Promise<ReadyAgent> {
    return this.#serving.promise;
  }

  /** Creates the agent, unless it has to wait for `initialize`; returns the error if that fails. */
  async open(): Promise<StartupError | undefined> {
    if (this.#config.policyComesLater) return undefined;
    const opened = deferred<void>();
    // Prompts and requests that arrive before then are kept in order.
    this.hostInput.hold(opened.promise);
    this.#isOpening = true;
    const made = await this.#make(this.#config);
    // The caller closes the connection, so pending requests stay unanswered.
    if (made.kind === "refused") return made;
    this.#take(made);
    this.hostInput.catchUp();
    // Only once the session serves: prompts that already wait when it starts are answered as one, but these were sent separately.
    setImmediate(() => {
      this.#isOpening = false;
      opened.resolve();
    });
    return undefined;
  }

  /** Creates the agent with the administrator's settings from the handshake. */
  async openWith({ managedSettings }: Initialize): Promise<string | undefined> {
    if (!this.#config.policyComesLater || this.#agent) return undefined;
    if (!isJsonObject(managedSettings)) return "The first initialize has no managedSettings.";
    const made = await this.#make({ ...this.#config, managedSettings: JSON.stringify(managedSettings) });
    if (made.kind === "refused") return made.reason;
    const [fault] = made.session.context.settings.errors.filter(({ path }) => path === "--managed-settings");
    if (fault) {
      await made.close();
      return `The managedSettings can't be used: ${fault.key ?? ""} ${fault.message}`;
    }
    this.#policy = managedSettings;
    this.#take(made);
    return undefined;
  }

  /** Answers the host's requests with the current agent. */
  handlers(): Handlers<Requests> {
    const answering = Object.keys(hostRequests).map((subtype) => [
      subtype,
      (request: object, context: RequestContext) => {
        if (!this.#isOpening) return this.#handle(subtype, request, context);
        return this.hostInput.inOrder(async () => this.#handle(subtype, request, context));
      },
    ]);
    return Object.fromEntries(answering);
  }

  #handle(subtype: string, request: object, context: RequestContext): unknown {
    if (subtype === "claim_session") return this.#claim(request as Claim);
    const answer = () => this.#answer(subtype, request, context);
    return this.#changing ? this.#changing.then(answer) : answer();
  }

  /** Ends the running turn and starts no other, not even in an agent that is still being created. */
  end(): void {
    this.#isEnding = true;
    this.#agent?.session.end();
  }

  async close(): Promise<void> {
    await this.#changing;
    await this.#agent?.close();
  }

  #answer(subtype: string, request: object, context: RequestContext): unknown {
    const handle = this.#controls[subtype];
    if (!handle) {
      const errorCode = "unsupported_request";
      throw new ProtocolError(errorCode, unsupportedRequest(subtype), { errorCode });
    }
    if (this.#isSpare) this.#note(subtype, request);
    const answered = handle(request, context);
    const { managedSettings } = request as Initialize;
    if (subtype !== "initialize" || managedSettings === undefined) return answered;
    const isApplied = isDeepStrictEqual(managedSettings, this.#policy);
    return Promise.resolve(answered).then((answer) => ({
      ...(answer as object),
      managed_settings_applied: isApplied,
    }));
  }

  #note(subtype: string, request: object): void {
    if (subtype === "initialize") this.#greeting = { ...this.#greeting, ...request };
    if (subtype === "apply_flag_settings" && "settings" in request && isJsonObject(request.settings))
      this.#flagSettings.push(request.settings);
  }

  #make(config: Config): Promise<AssembleResult> {
    return assemble(config, this.#host, this.#complain, { hostInput: this.hostInput });
  }

  #take(made: ReadyAgent): void {
    const { session } = made;
    if (this.#isEnding) session.end();
    this.#agent = made;
    this.#controls = withKeepAlive(controls(session), (message) => this.#host.send(message)) as {
      [subtype: string]: AnyHandler;
    };
    if (!this.#isSpare) this.#serving.resolve(this.#agent);
  }

  #claim(claim: Claim): Promise<ResponseOf<Requests, "claim_session">> {
    if (!this.#isSpare) throw unclaimable("not_a_spare", "the process already has a session");
    if (this.#changing) throw unclaimable("claim_failed", "the process was already claimed");
    const settled = deferred<void>();
    // Input after the claim is for the new agent, and is processed after the claim's answer.
    this.hostInput.hold(settled.promise);
    const claimed = this.#change(claim).finally(() => setImmediate(settled.resolve));
    this.#changing = claimed.catch(() => {});
    return claimed;
  }

  async #change(claim: Claim): Promise<ResponseOf<Requests, "claim_session">> {
    const config = await claimedConfig(this.#config, claim);
    const made = await this.#make(config);
    if (made.kind === "refused") throw unclaimable("claim_failed", made.reason);
    const { gate, settings, outlet, mcp } = made.session.context;
    const { permission_mode: mode } = claim;
    const refused = mode === undefined ? undefined : gate.setMode(mode);
    if (refused) {
      await made.close();
      throw unclaimable("permission_mode_not_claimable", refused.message);
    }
    await this.#agent?.close();
    for (const given of this.#flagSettings) settings.applyFlagSettings(given);
    this.#isSpare = false;
    this.#take(made);
    const initialize = await this.#initializeAgain(claim);
    return {
      cwd: config.cwd,
      session_id: outlet.sessionId,
      parked_ms: Math.round(process.uptime() * 1000),
      sdk_mcp_settled: mcp.status().every(({ status }) => status !== "pending"),
      ...(claim.include_initialize && { initialize }),
    };
  }

  /** Repeats the spare's `initialize` to the new agent, with the additions of the claim. */
  async #initializeAgain({
    append_system_prompt,
    agents,
    title,
  }: Claim): Promise<ResponseOf<Requests, "initialize">> {
    const request = {
      ...this.#greeting,
      subtype: "initialize",
      ...(append_system_prompt !== undefined && { appendSystemPrompt: append_system_prompt }),
      ...(title !== undefined && { title }),
      ...(agents && { agents: { ...this.#greeting.agents, ...agents } }),
    };
    const context = { requestId: "", signal: new AbortController().signal, addToAnswer: () => {} };
    return (await this.#answer("initialize", request, context)) as ResponseOf<Requests, "initialize">;
  }
}
