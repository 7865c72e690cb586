import { randomUUID } from "node:crypto";
import type { InitializeResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import type { ControlRequest } from "../../control/envelope.ts";
import type { JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import type { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { ResultMessage } from "../../messages/result.ts";
import type { SystemMessage } from "../../messages/system.ts";
import { failed, success } from "../answers.ts";
import type { Translation } from "../dialect.ts";
import { idFromHead, RPC_ERRORS, type RpcId, rpcError, rpcId, rpcResult } from "../jsonrpc/envelope.ts";
import { brief, objectAt, objectsAt, shown, stringAt } from "../spelling.ts";
import { ACP_VERSION, Calls, EXTENSION, isOurs, notification, OURS } from "./calls.ts";
import { ClientPrompts } from "./client-prompts.ts";
import { ClientQuestions, questionFor } from "./client-questions.ts";
import { canonicalServers } from "./session-options.ts";
import { notice, ShownSession } from "./shown-session.ts";
import { usageUpdate } from "./turn-end.ts";
import { UpdateWriter } from "./update-writer.ts";

type HostSink = Sink<HostMessage>;

/** How our agent introduces itself to a client. */
const GREETING: InitializeResponse = {
  protocolVersion: ACP_VERSION,
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { resume: {}, close: {} },
    _meta: OURS,
  },
  agentInfo: { name: "agentwire-agent", title: "agentwire", version: "0.1.0" },
  // No login is needed; registries want to know the method anyway.
  authMethods: [
    {
      id: "agentwire",
      name: "agentwire's own keys",
      description: "agentwire reads its keys from the environment and its settings",
    },
  ],
};

/** Speaks the Agent Client Protocol for an agent, with one session per process. */
export class AcpAgent implements Translation<HostMessage, AgentMessage> {
  readonly #calls = new Calls();
  readonly #questions = new ClientQuestions(this.#calls);
  /** Canonical requests made from a request of the client. */
  readonly #asked = new Map<string, (response: JsonObject, sink: HostSink) => readonly unknown[]>();
  readonly #prompts = new ClientPrompts();
  readonly #writer = new UpdateWriter();
  readonly #shown = new ShownSession();
  /** Until the client has introduced itself, it is assumed to be one of ours. */
  #capabilities: JsonObject = { _meta: OURS };
  #sessionId = "";

  decode(value: JsonObject, sink: HostSink): void {
    if (!("jsonrpc" in value) && typeof value.type === "string") readMessage(hostMessages, value, sink);
    else if (typeof value.method === "string") this.#take(value.method, value, sink);
    else if (!this.#calls.settle(value) && !("result" in value || "error" in value))
      sink.reply(rpcError(rpcId(value.id) ?? null, RPC_ERRORS.invalidRequest, "a request needs a method"));
  }

  encode(message: AgentMessage, sink: HostSink): readonly unknown[] {
    switch (message.type) {
      case "stream_event":
        return this.#updates(this.#writer.delta(message));
      case "assistant":
        return this.#updates(this.#writer.reply(message));
      case "user":
        return message.isReplay ? [] : this.#updates(this.#writer.results(message));
      case "system":
        return this.#system(message);
      case "result":
        return this.#end(message);
      case "command_lifecycle":
        return this.#prompts.follow(message);
      case "control_request":
        return this.#ask(message, sink);
      case "control_response":
        return this.#answered(message.response as JsonObject, sink);
      case "control_cancel_request":
        return this.#questions.withdraw(message.request_id);
      default:
        return this.#extension(message);
    }
  }

  refuse(fault: Malformed): readonly unknown[] {
    const isText = fault.code === "not_json" || fault.code === "invalid_utf8";
    return [
      rpcError(idFromHead(fault.head), isText ? RPC_ERRORS.badJson : RPC_ERRORS.invalidRequest, fault.reason),
    ];
  }

  #take(method: string, value: JsonObject, sink: HostSink): void {
    const params = objectAt(value, "params");
    const id = rpcId(value.id);
    if (id !== undefined) this.#call(method, params, id, sink);
    else if (method === EXTENSION.message) readMessage(hostMessages, objectAt(params, "message"), sink);
    else if (
      method === "session/cancel" ||
      (method === "$/cancel_request" && this.#prompts.has(params.requestId))
    )
      this.#request({ subtype: "interrupt", cancel_queued: true }, sink, () => []);
  }

  #call(method: string, params: JsonObject, id: RpcId, sink: HostSink): void {
    switch (method) {
      case "initialize":
        this.#capabilities = objectAt(params, "clientCapabilities");
        sink.reply(rpcResult(id, GREETING));
        return;
      case "authenticate":
        sink.reply(rpcResult(id, {}));
        return;
      case "session/new":
      case "session/load":
      case "session/resume":
        this.#open(method, params, id, sink);
        return;
      case "session/prompt":
        this.#prompt(params, id, sink);
        return;
      case "session/set_mode":
        this.#setOption("mode", params.modeId, id, sink, () => ({}));
        return;
      case "session/set_config_option":
        this.#setOption(params.configId, params.value, id, sink, (options) => options);
        return;
      case "session/close":
        this.#forward({ subtype: "interrupt", cancel_queued: true }, id, sink, () => ({}));
        return;
      case EXTENSION.request:
        this.#forward(objectAt(params, "request"), id, sink, (response) => response);
        return;
      default:
        sink.reply(rpcError(id, RPC_ERRORS.unknownMethod, `unknown method ${brief(method)}`));
    }
  }

  /** Greets the agent, passes servers on, and asks for its session's status; then the client gets its answer. */
  #open(method: string, params: JsonObject, id: RpcId, sink: HostSink): void {
    const servers = canonicalServers(params);
    const status = { subtype: "session_status", ...(method === "session/load" && { messages: true }) };
    const fail = ({ error }: JsonObject) => [rpcError(id, RPC_ERRORS.internal, shown(error))];
    this.#request({ subtype: "initialize" }, sink, (greeted, then) => {
      if (greeted.subtype === "error") return fail(greeted);
      const ask = (after: HostSink) =>
        this.#request(status, after, (answer) => this.#opened(method, id, answer, greeted));
      if (Object.keys(servers).length === 0) ask(then);
      else
        this.#request({ subtype: "mcp_set_servers", servers }, then, (answer, after) => {
          ask(after);
          return this.#serverFaults(answer);
        });
      return [];
    });
  }

  #opened(method: string, id: RpcId, answer: JsonObject, greeting: JsonObject): readonly unknown[] {
    const status = objectAt(answer, "response");
    const greeted = objectAt(greeting, "response");
    // An agent that does not report its status has a session all the same.
    this.#sessionId = stringAt(status, "session_id") || this.#sessionId || randomUUID();
    const shown = this.#shown.open(status, greeted);
    const replayed = objectsAt(status, "messages").flatMap((message) => this.#writer.replay(message));
    return [
      ...this.#updates(replayed),
      rpcResult(id, method === "session/new" ? { sessionId: this.#sessionId, ...shown } : shown),
      ...this.#updates(this.#shown.commands(objectsAt(greeted, "commands"))),
    ];
  }

  #serverFaults(answer: JsonObject): readonly unknown[] {
    const errors = Object.entries(objectAt(objectAt(answer, "response"), "errors"));
    const faults = errors.map(([name, reason]) => `MCP server ${name}: ${shown(reason)}`);
    const texts = answer.subtype === "error" ? [`MCP servers: ${shown(answer.error)}`] : faults;
    return texts.flatMap((content) =>
      this.#notice({ type: "system", subtype: "informational", content, level: "warning" } as never),
    );
  }

  #prompt(params: JsonObject, id: RpcId, sink: HostSink): void {
    const prompt = this.#prompts.take(params, id);
    if (prompt) sink.message(prompt);
    else sink.reply(rpcError(id, RPC_ERRORS.badParams, "a prompt needs at least one content block"));
  }

  #setOption(
    option: unknown,
    value: unknown,
    id: RpcId,
    sink: HostSink,
    result: (options: JsonObject) => JsonObject,
  ): void {
    if (option !== "mode" && option !== "model") {
      sink.reply(rpcError(id, RPC_ERRORS.badParams, `there is no option ${brief(option)}`));
      return;
    }
    const request =
      option === "mode"
        ? { subtype: "set_permission_mode", mode: value }
        : { subtype: "set_model", model: value };
    this.#forward(request, id, sink, () => result(this.#shown.set(option, shown(value))));
  }

  /** Asks the agent for something that the client waits for. */
  #forward(
    request: JsonObject,
    id: RpcId,
    sink: HostSink,
    result: (response: JsonObject) => JsonObject,
  ): void {
    this.#request(request, sink, (response) =>
      response.subtype === "error"
        ? [rpcError(id, RPC_ERRORS.internal, shown(response.error))]
        : [rpcResult(id, result(objectAt(response, "response")))],
    );
  }

  #request(
    request: JsonObject,
    sink: HostSink,
    settle: (response: JsonObject, sink: HostSink) => readonly unknown[],
  ): void {
    const request_id = randomUUID();
    this.#asked.set(request_id, settle);
    sink.message({ type: "control_request", request_id, request });
  }

  #answered(response: JsonObject, sink: HostSink): readonly unknown[] {
    const requestId = shown(response.request_id);
    const settle = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    return settle ? settle(response, sink) : this.#extension({ type: "control_response", response });
  }

  #ask({ request_id, request }: ControlRequest, sink: HostSink): readonly unknown[] {
    const answer = (response: JsonObject | undefined) => {
      if (response) readMessage(hostMessages, response, sink);
    };
    const question = questionFor(request, this.#sessionId, this.#capabilities);
    const line = this.#questions.ask(request_id, question, (outcome) =>
      answer(outcome.ok ? success(request_id, outcome.result) : failed(request_id, outcome.error, "refused")),
    );
    if (!line) answer(failed(request_id, `an editor has no ${brief(request.subtype)} request`));
    return line ? [line] : [];
  }

  #system(message: SystemMessage): readonly unknown[] {
    switch (message.subtype) {
      case "init":
        if (message.session_id !== "") this.#sessionId = message.session_id;
        return this.#updates(this.#shown.standing(message.permissionMode, message.model));
      case "status":
        return message.permissionMode === undefined
          ? this.#extension(message)
          : this.#updates(this.#shown.standing(message.permissionMode));
      case "commands_changed":
        return this.#updates(this.#shown.commands(message.commands));
      case "informational":
      case "notification":
      case "compact_boundary":
        return this.#notice(message);
      case "elicitation_complete":
        return isOurs(this.#capabilities) || !("url" in objectAt(this.#capabilities, "elicitation"))
          ? this.#extension(message)
          : [notification("elicitation/complete", { elicitationId: message.elicitation_id })];
      default:
        return this.#extension(message);
    }
  }

  #notice(message: SystemMessage): readonly unknown[] {
    const update = notice(message, this.#capabilities);
    return update ? this.#updates([update]) : this.#extension(message);
  }

  #end(result: ResultMessage): readonly unknown[] {
    const usage = usageUpdate(result);
    const told = usage ? this.#updates([{ sessionUpdate: "usage_update", ...usage }]) : [];
    return [...told, ...this.#prompts.end(result)];
  }

  #updates(updates: readonly SessionUpdate[]): readonly unknown[] {
    return updates.map((update) => notification("session/update", { sessionId: this.#sessionId, update }));
  }

  /** What the protocol has no term for is sent only to clients of ours: others would have to ignore it. */
  #extension(message: unknown): readonly unknown[] {
    return isOurs(this.#capabilities)
      ? [notification(EXTENSION.message, { sessionId: this.#sessionId, message })]
      : [];
  }
}
