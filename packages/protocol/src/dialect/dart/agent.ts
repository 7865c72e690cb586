import { randomUUID } from "node:crypto";
import type { ControlRequest } from "../../control/envelope.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import type { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { Translation } from "../dialect.ts";
import { asSystemLine } from "../other-types.ts";
import { promptFault } from "../prompt-fault.ts";
import { brief, objectAt, shown } from "../spelling.ts";
import { assistantLine, failure, initLine, resultLine, userLine } from "./agent-lines.ts";
import { canonicalAnswer, dartInitialize, dartUpdates } from "./spelling.ts";

/** Speaks the Dart dialect for an agent; also understands lines in the official spelling. */
export class DartAgent implements Translation<HostMessage, AgentMessage> {
  /** Requests of the agent that the host has not answered. */
  readonly #callbacks = new Set<string>();
  readonly #initializing = new Set<string>();
  #greeted = false;
  /** Our requests that start the servers named in initialize. */
  readonly #starting = new Set<string>();
  /** Our request for the session's description, which the Dart dialect sends before the first turn. */
  #describing: string | undefined;
  #description: JsonObject | undefined;
  /** The tools and servers that the session was introduced with; if they change, it is introduced again. */
  #introduced: string | undefined;
  #sessionId: string | undefined;
  #session: "none" | "wanted" | "open" = "none";

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    switch (value.type) {
      case "session.create":
        this.#create(value, sink);
        return;
      case "session.send":
        if (this.#session === "none") sink.reply(failure("SESSION_NOT_FOUND", "send session.create first"));
        else this.#takePrompt(value, sink);
        return;
      case "callback.response":
        this.#callback(value, sink);
        return;
      case "control_request":
        readMessage(hostMessages, officialRequest(value), {
          ...sink,
          message: (request) => this.#requested(request, sink),
        });
        return;
      case "control_response":
        this.#callbacks.delete(shown(objectAt(value, "response").request_id));
        readMessage(hostMessages, value, sink);
        return;
      default:
        if (typeof value.type !== "string" || hostMessages.has(value.type))
          readMessage(hostMessages, value, sink);
        else sink.reply(failure("INVALID_MESSAGE", `unknown message type ${brief(value.type)}`));
    }
  }

  encode(message: AgentMessage): readonly unknown[] {
    switch (message.type) {
      case "control_response":
        return this.#answer(message.response);
      case "control_request":
        return [this.#ask(message)];
      case "control_cancel_request":
        this.#callbacks.delete(message.request_id);
        return [message];
      case "assistant":
        return [assistantLine(message)];
      case "user":
        return [userLine(message)];
      case "result":
        return [resultLine(message)];
      case "system":
        return this.#encodeSystem(message);
      default:
        return [asSystemLine(message)];
    }
  }

  refuse(fault: Malformed): readonly unknown[] {
    return [failure("INVALID_MESSAGE", fault.reason)];
  }

  #create(value: JsonObject, sink: Sink<HostMessage>): void {
    if (this.#session !== "none") {
      sink.reply(
        failure("SESSION_EXISTS", "this process already has a session; continue it with session.send"),
      );
      return;
    }
    this.#takePrompt(value, {
      ...sink,
      message: (prompt) => {
        this.#session = "wanted";
        for (const line of this.#created()) sink.reply(line);
        this.#describe(sink);
        sink.message(prompt);
      },
    });
  }

  #takePrompt(value: JsonObject, sink: Sink<HostMessage>): void {
    const fault = promptFault(value);
    if (fault !== undefined) sink.reply(failure("INVALID_MESSAGE", fault));
    else readMessage(hostMessages, { ...value, type: "user" }, sink);
  }

  #callback(value: JsonObject, sink: Sink<HostMessage>): void {
    const response = objectAt(value, "response");
    const id = shown(response.request_id);
    if (!this.#callbacks.delete(id)) {
      sink.reply(failure("CALLBACK_NOT_FOUND", `there is no open request ${brief(id)}`));
      return;
    }
    const answer = canonicalAnswer(objectAt(response, "response"));
    readMessage(
      hostMessages,
      { type: "control_response", response: { ...response, response: answer } },
      sink,
    );
  }

  #requested(message: HostMessage, sink: Sink<HostMessage>): void {
    const initialize = message.type === "control_request" && message.request.subtype === "initialize";
    if (initialize) this.#initializing.add(message.request_id);
    sink.message(message);
    if (!initialize) return;
    this.#greeted = true;
    this.#startServers(objectAt(message.request, "mcp_servers"), sink);
    this.#describe(sink);
  }

  #startServers(servers: JsonObject, sink: Sink<HostMessage>): void {
    if (Object.keys(servers).length === 0) return;
    const request_id = randomUUID();
    this.#starting.add(request_id);
    sink.message({ type: "control_request", request_id, request: { subtype: "mcp_set_servers", servers } });
  }

  #describe(sink: Sink<HostMessage>): void {
    if (this.#describing !== undefined || this.#introduced !== undefined) return;
    this.#describing = randomUUID();
    sink.message({
      type: "control_request",
      request_id: this.#describing,
      request: { subtype: "session_status" },
    });
  }

  #answer(response: JsonObject): readonly unknown[] {
    const request_id = shown(response.request_id);
    if (request_id === this.#describing) {
      this.#describing = undefined;
      const { init } = objectAt(response, "response");
      if (isJsonObject(init)) this.#description = init;
      // A host that did not send initialize waits for its session to be created, and for nothing before that.
      const created = this.#greeted ? [] : this.#learn(this.#description?.session_id);
      return [...created, ...this.#introduce()];
    }
    if (this.#starting.delete(request_id)) return serverFailures(response);
    const initialize = this.#initializing.delete(request_id);
    if (response.subtype === "error") {
      return [{ ...failure("REQUEST_FAILED", shown(response.error)), request_id }, ...this.#introduce()];
    }
    const payload = objectAt(response, "response");
    const line = {
      type: "control_response",
      request_id,
      response: initialize ? dartInitialize(payload) : payload,
    };
    return [line, ...this.#introduce()];
  }

  /**
   * Introduces the session right after the answer to initialize, or when it is created, and again when its
   * tools or servers have changed.
   */
  #introduce(): readonly unknown[] {
    const init = this.#description;
    if (this.#initializing.size > 0 || !init || this.#introduced === equipmentOf(init)) return [];
    this.#introduced = equipmentOf(init);
    return [initLine(init), ...this.#learn(init.session_id)];
  }

  #encodeSystem(message: Extract<AgentMessage, { type: "system" }>): readonly unknown[] {
    switch (message.subtype) {
      case "init":
        this.#description = message;
        return [...this.#learn(message.session_id), ...this.#introduce()];
      case "session_created":
        return this.#learn(message.session_id);
      case "error":
        return [failure(message.code ?? "ERROR", message.message)];
      default:
        return [message];
    }
  }

  #learn(sessionId: unknown): readonly unknown[] {
    if (typeof sessionId === "string" && sessionId !== "") this.#sessionId = sessionId;
    return this.#created();
  }

  #created(): readonly unknown[] {
    if (this.#session !== "wanted" || this.#sessionId === undefined) return [];
    this.#session = "open";
    return [{ type: "session.created", session_id: this.#sessionId }];
  }

  #ask({ request_id, request }: ControlRequest): JsonObject {
    this.#callbacks.add(request_id);
    const suggestions = request.permission_suggestions;
    return {
      type: "callback.request",
      request_id,
      request: {
        ...request,
        ...(Array.isArray(suggestions) && { permission_suggestions: suggestions.flatMap(dartUpdates) }),
        ...(request.subtype === "can_use_tool" && { blocked_path: request.blocked_path ?? null }),
      },
    };
  }
}

/** A session's tools and servers, for comparison. */
const equipmentOf = ({ tools, mcp_servers }: JsonObject) => JSON.stringify([tools, mcp_servers]);

function officialRequest(value: JsonObject): JsonObject {
  const { system_prompt, ...request } = objectAt(value, "request");
  if (request.subtype !== "initialize" || typeof system_prompt !== "string") return value;
  return { ...value, request: { ...request, systemPrompt: [system_prompt] } };
}

function serverFailures(response: JsonObject): readonly unknown[] {
  if (response.subtype === "error")
    return [failure("REQUEST_FAILED", `mcp_servers: ${shown(response.error)}`)];
  return Object.entries(objectAt(objectAt(response, "response"), "errors")).map(([name, reason]) =>
    failure("REQUEST_FAILED", `mcp_servers: ${name}: ${shown(reason)}`),
  );
}
