import { randomUUID } from "node:crypto";
import type { ControlRequest } from "../../control/envelope.ts";
import type { JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, agentMessages, type HostMessage } from "../../message.ts";
import type { PromptMessage } from "../../messages/prompt.ts";
import { Unknown } from "../../schema/unknown.ts";
import { failed, success } from "../answers.ts";
import type { Translation } from "../dialect.ts";
import { RPC_ERRORS, type RpcId, rpcError, rpcId } from "../jsonrpc/envelope.ts";
import { brief, objectAt, objectsAt, shown, stringAt } from "../spelling.ts";
import { AgentQuestions } from "./agent-questions.ts";
import { ACP_ERRORS, Calls, EXTENSION, notification, type Outcome } from "./calls.ts";
import { CLIENT_METHODS } from "./client-methods.ts";
import { acpBlocks } from "./content.ts";
import { applyChange, Opening } from "./opening.ts";
import { type Change, SessionChoices } from "./session-options.ts";
import { resultFor } from "./turn-end.ts";
import { UpdateReader, unknownUpdate } from "./update-reader.ts";

/**
 * Speaks the Agent Client Protocol for a host, with one session of one agent. The first message opens the
 * session; everything else waits until it is open.
 */
export class AcpHost implements Translation<AgentMessage, HostMessage> {
  readonly #calls = new Calls();
  #opening: Opening | undefined;
  #isOpen = false;
  /** Why there is no session. */
  #refusal: string | undefined;
  readonly #waiting: HostMessage[] = [];
  /** The settings that the host wants for the session. */
  #wanted: JsonObject = {};
  #commands: readonly JsonObject[] = [];
  readonly #choices = new SessionChoices();
  #usage: JsonObject = {};
  /** Prompts that wait: the agent takes one at a time. */
  readonly #prompts: PromptMessage[] = [];
  #running: { readonly prompt: PromptMessage; readonly startedAt: number } | undefined;
  readonly #reader = new UpdateReader({
    id: () => this.#sessionId,
    model: () => this.#choices.model,
    isPartial: () => this.#wanted.partial_messages === true,
  });
  readonly #questions = new AgentQuestions();
  /** The sink of the most recent caller: answers to requests arrive in later lines. */
  #sink: Sink<AgentMessage> | undefined;
  readonly #say = (message: AgentMessage): void => this.#sink?.message(message);

  encode(message: HostMessage, sink: Sink<AgentMessage>): readonly unknown[] {
    this.#sink = sink;
    if (message.type === "control_response") return this.#questions.answer(message.response as JsonObject);
    if (this.#isOpen) return this.#write(message);
    if (this.#refusal !== undefined) this.#fail(message, this.#refusal);
    else this.#waiting.push(message);
    if (!this.#opening) this.#open(message.type === "control_request" ? message.request : {});
    return [];
  }

  decode(value: JsonObject, sink: Sink<AgentMessage>): void {
    this.#sink = sink;
    if (!("jsonrpc" in value) && typeof value.type === "string") readMessage(agentMessages, value, sink);
    else if (typeof value.method === "string") this.#take(value.method, value, sink);
    else if (!this.#calls.settle(value)) {
      const reason = "neither a method nor an answer to one";
      sink.malformed(new Malformed("unreadable", reason, JSON.stringify(value)));
    }
  }

  get #sessionId(): string {
    return this.#opening?.sessionId ?? "";
  }

  #open(first: JsonObject): void {
    this.#wanted = objectAt(first, "session");
    this.#opening = new Opening(this.#wanted, this.#choices, this.#send, (refusal) => {
      this.#refusal = refusal;
      this.#isOpen = refusal === undefined;
      for (const message of this.#waiting.splice(0))
        if (refusal !== undefined) this.#fail(message, refusal);
        else for (const line of this.#write(message)) this.#sink?.reply(line);
    });
    this.#opening.begin();
  }

  #fail(message: HostMessage, reason: string): void {
    if (message.type === "user") this.#say(this.#result(message, { error: reason }, 0));
    else if (message.type === "control_request") this.#answer(message.request_id, reason, {});
  }

  #write(message: HostMessage): readonly unknown[] {
    switch (message.type) {
      case "user":
        this.#prompts.push(message);
        return this.#next();
      case "control_request":
        return this.#request(message);
      case "control_cancel_request":
        return [];
      default:
        return this.#opening?.isOurs
          ? [notification(EXTENSION.message, { sessionId: this.#sessionId, message })]
          : [];
    }
  }

  #next(): readonly unknown[] {
    const prompt = this.#running ? undefined : this.#prompts.shift();
    if (!prompt) return [];
    this.#running = { prompt, startedAt: performance.now() };
    this.#reader.begin();
    this.#say(this.#init());
    const params = { sessionId: this.#sessionId, prompt: acpBlocks(prompt.message.content) };
    return [this.#calls.request("session/prompt", params, (outcome) => this.#ended(outcome))];
  }

  #ended(outcome: Outcome): void {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    this.#reader.end(this.#say);
    const end = outcome.ok ? outcome.result : { error: outcome.error };
    this.#say(this.#result(running.prompt, end, performance.now() - running.startedAt));
    for (const line of this.#next()) this.#sink?.reply(line);
  }

  #request({ request_id, request }: ControlRequest): readonly unknown[] {
    const answer = (refusal: string | undefined, response: JsonObject) =>
      this.#answer(request_id, refusal, response);
    const change = (change: Change, response: JsonObject) =>
      applyChange(change, this.#choices, this.#send, (refusal) => answer(refusal, response));
    const { mode, model } = request;
    switch (request.subtype) {
      case "interrupt":
        return this.#interrupt(request, (response) => answer(undefined, response));
      case "set_permission_mode":
        change(this.#choices.setMode(this.#sessionId, shown(mode)), { mode });
        return [];
      case "set_model":
        change(this.#choices.setModel(this.#sessionId, shown(model)), { model });
        return [];
      case "cancel_async_message":
        answer(undefined, { cancelled: this.#takeBack(request.message_uuid) });
        return [];
    }
    if (this.#opening?.isOurs) {
      const params = { sessionId: this.#sessionId, request };
      const settle = (outcome: Outcome) =>
        outcome.ok ? answer(undefined, outcome.result) : answer(outcome.error, {});
      return [this.#calls.request(EXTENSION.request, params, settle)];
    }
    if (request.subtype === "initialize") answer(undefined, this.#handshake());
    else answer(`the Agent Client Protocol has no request ${brief(request.subtype)}`, {});
    return [];
  }

  #handshake(): JsonObject {
    const { mode, model, models } = this.#choices;
    return {
      commands: this.#commands.map(canonicalCommand),
      models,
      ...(model !== "" && { current_model: model }),
      ...(mode !== "" && { current_permission_mode: mode }),
    };
  }

  #interrupt({ cancel_queued }: JsonObject, answer: (response: JsonObject) => void): readonly unknown[] {
    const dropped = cancel_queued === true ? this.#prompts.splice(0) : [];
    for (const prompt of dropped) this.#say(this.#result(prompt, { stopReason: "cancelled" }, 0));
    answer({ still_queued: this.#prompts.flatMap(({ uuid }) => uuid ?? []) });
    if (!this.#running) return [];
    // The protocol expects whoever cancels to answer the open questions.
    const withdrawn = this.#questions.cancelAll((request_id) =>
      this.#say({ type: "control_cancel_request", request_id }),
    );
    return [notification("session/cancel", { sessionId: this.#sessionId }), ...withdrawn];
  }

  #takeBack(uuid: unknown): boolean {
    const at = this.#prompts.findIndex((prompt) => prompt.uuid === uuid);
    if (at >= 0) this.#prompts.splice(at, 1);
    return at >= 0;
  }

  #take(method: string, value: JsonObject, sink: Sink<AgentMessage>): void {
    const params = objectAt(value, "params");
    const id = rpcId(value.id);
    if (method === "session/update") this.#update(objectAt(params, "update"));
    else if (method === EXTENSION.message) readMessage(agentMessages, objectAt(params, "message"), sink);
    else if (method === "$/cancel_request") this.#withdraw(params, sink);
    else if (method === "elicitation/complete")
      this.#questions.completed(params, this.#opening?.name ?? "", this.#say);
    else if (id === undefined) sink.message(new Unknown(method, { ...value, type: method }));
    else this.#asked(method, params, id, sink);
  }

  #asked(method: string, params: JsonObject, id: RpcId, sink: Sink<AgentMessage>): void {
    if (method === "session/request_permission") {
      const call = objectAt(params, "toolCall");
      const known = this.#reader.ask(call, this.#say);
      this.#questions.permission(id, params, known, this.#say);
    } else if (method === "elicitation/create")
      this.#questions.elicitation(id, params, this.#opening?.name ?? "", this.#say);
    else if (method === EXTENSION.request) this.#questions.pass(id, objectAt(params, "request"), this.#say);
    else if (Object.hasOwn(CLIENT_METHODS, method))
      this.#questions.clientMethod(id, method, params, this.#say);
    else sink.reply(rpcError(id, RPC_ERRORS.unknownMethod, `unknown method ${brief(method)}`));
  }

  #withdraw({ requestId }: JsonObject, sink: Sink<AgentMessage>): void {
    const id = rpcId(requestId);
    const withdrawn = id === undefined ? [] : this.#questions.withdraw(id);
    for (const request_id of withdrawn) this.#say({ type: "control_cancel_request", request_id });
    if (id !== undefined && withdrawn.length > 0)
      sink.reply(rpcError(id, ACP_ERRORS.cancelled, "the request was cancelled"));
  }

  #update(update: JsonObject): void {
    switch (update.sessionUpdate) {
      case "available_commands_update":
        this.#commands = objectsAt(update, "availableCommands");
        this.#tell("commands_changed", { commands: this.#commands.map(canonicalCommand) });
        return;
      case "current_mode_update":
      case "config_option_update": {
        const { mode: before } = this.#choices;
        this.#choices.hear(update);
        const { mode: permissionMode } = this.#choices;
        if (permissionMode !== before) this.#tell("status", { status: null, permissionMode });
        return;
      }
      case "usage_update":
        this.#usage = update;
        return;
      case "notice":
        this.#tell("informational", { content: shown(update.title), level: update.severity ?? "info" });
        return;
      case "compaction_update":
        if (update.status === "completed")
          this.#tell("compact_boundary", { compact_metadata: { trigger: "auto", pre_tokens: 0 } });
        return;
    }
    // A resumed session first replays its whole history, which its host already knows.
    if (this.#isOpen && !this.#reader.take(update, this.#say)) this.#say(unknownUpdate(update));
  }

  #tell(subtype: string, fields: JsonObject): void {
    if (this.#isOpen) this.#say(this.#system(subtype, fields));
  }

  #init(): AgentMessage {
    return this.#system("init", {
      cwd: stringAt(this.#wanted, "cwd") ?? "/",
      model: this.#choices.model,
      permissionMode: this.#choices.mode || "default",
      tools: [],
      mcp_servers: [],
      slash_commands: this.#commands.map(({ name }) => shown(name)),
      skills: [],
      plugins: [],
      output_style: "default",
      claude_code_version: this.#opening?.version ?? "",
      apiKeySource: "",
    });
  }

  #system(subtype: string, fields: JsonObject): AgentMessage {
    const message = { type: "system", subtype, ...fields, uuid: randomUUID(), session_id: this.#sessionId };
    return message as unknown as AgentMessage;
  }

  #result(prompt: PromptMessage, end: JsonObject, durationMs: number): AgentMessage {
    return resultFor({
      end,
      text: this.#reader.text,
      model: this.#choices.model,
      usage: this.#usage,
      durationMs,
      sessionId: this.#sessionId,
      promptId: prompt.uuid,
    });
  }

  readonly #send = (method: string, params: object, settle: (outcome: Outcome) => void): void => {
    this.#sink?.reply(this.#calls.request(method, params, settle));
  };

  #answer(requestId: string, refusal: string | undefined, response: JsonObject): void {
    const answer =
      refusal === undefined ? success(requestId, response) : failed(requestId, refusal, "refused");
    this.#say(answer as unknown as AgentMessage);
  }
}

/** A command that a user may type, in the canonical form. */
const canonicalCommand = (command: JsonObject) => ({
  name: shown(command.name),
  description: stringAt(command, "description") ?? "",
  argumentHint: stringAt(objectAt(command, "input"), "hint") ?? "",
});
