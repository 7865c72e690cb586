import { type Event, follow, PromptState, type Question, SessionStatus } from "@agentwire/api";
import type { AgentMessage, HostMessage, JsonObject } from "@agentwire/protocol";
import { type AcpPort, DIALECTS } from "@agentwire/protocol/dialect";
import type { Client } from "../talk/client.ts";
import { isFinal, reasonOf } from "../talk/rpc-error.ts";
import { EditorQuestions } from "./editor-questions.ts";
import { answerEditor } from "./editor-requests.ts";
import { messagesOf } from "./event-messages.ts";

/** The two sides that a bridge connects. */
export interface BridgeOptions {
  readonly client: Client;
  /** The daemon's session. */
  readonly session: { readonly id: string; readonly model: string; readonly permissionMode: string };
  /** Sends a line to the editor. */
  readonly write: (line: JsonObject) => void;
  readonly ended: (reason: string) => void;
}

/** Connects one session of the daemon to an editor: forwards every event, whoever caused it, and carries out the editor's requests. */
export class SessionBridge implements AcpPort {
  readonly #options: BridgeOptions;
  readonly #translation = DIALECTS.acp.forAgent();
  readonly #leaving = new AbortController();
  /** The editor's unanswered prompts: its own id of each, by the daemon's id. */
  readonly #prompts = new Map<string, string>();
  /** The prompt being sent to the daemon: events about it must wait until its id is known. */
  #sending: Promise<unknown> = Promise.resolve();
  readonly #history: JsonObject[] = [];
  /** Questions that were still open when the editor connected. */
  readonly #open = new Map<string, Question>();
  readonly #questions: EditorQuestions;
  #isLive = false;
  #caughtUp: () => void = () => {};
  readonly #ready = new Promise<void>((resolve) => {
    this.#caughtUp = resolve;
  });
  #failure = "";

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#questions = new EditorQuestions({
      client: options.client,
      say: (message) => this.#say(message),
      show: (text) => this.#show("agent_message_chunk", text),
    });
    void this.#follow();
  }

  take(line: JsonObject): void {
    const { write } = this.#options;
    const ignore = () => {};
    this.#translation.decode(line, {
      message: (message) => void this.#do(message),
      repaired: ignore,
      malformed: ignore,
      reply: (value) => write(value as JsonObject),
    });
  }

  /** Stops watching; the session itself continues. */
  async close(): Promise<void> {
    this.#leaving.abort();
    this.#questions.close();
    this.#options.ended("the session was closed");
  }

  #say(message: AgentMessage | JsonObject): void {
    const ignore = () => {};
    const sink = {
      message: (said: HostMessage) => void this.#do(said),
      repaired: ignore,
      malformed: ignore,
      reply: ignore,
    };
    for (const line of this.#translation.encode(message as AgentMessage, sink))
      this.#options.write(line as JsonObject);
  }

  async #follow(): Promise<void> {
    const { client, session, ended } = this.#options;
    const options = { sessionId: session.id, afterSeq: 0n, isFinal };
    try {
      for await (const news of follow(client.sessions, options, this.#leaving.signal)) {
        if (news.type === "events") for (const event of news.events) await this.#handle(event);
        if (news.type === "caught_up") {
          this.#isLive = true;
          this.#caughtUp();
          for (const question of this.#open.values()) this.#questions.ask(question);
          this.#open.clear();
        }
      }
    } catch (error) {
      this.#failAll(reasonOf(error));
      ended(reasonOf(error));
    }
    this.#caughtUp();
  }

  async #handle(event: Event): Promise<void> {
    const { body } = event;
    const messages = messagesOf(event, this.#options.session.id);
    if (!this.#isLive) {
      const said = messages.filter(({ type }) => type === "assistant" || type === "user");
      this.#history.push(...(said as unknown as JsonObject[]));
      if (body.case === "permissionAsked" || body.case === "questionAsked")
        if (body.value.question) this.#open.set(body.value.question.id, body.value.question);
      if (body.case === "permissionDecided" || body.case === "questionAnswered")
        this.#open.delete(body.value.questionId);
      return;
    }
    switch (body.case) {
      case "userInput":
        await this.#sending;
        // A prompt from another client.
        if (!this.#prompts.has(body.value.promptId)) this.#show("user_message_chunk", body.value.text);
        return;
      case "sessionInfo": {
        const { model, permissionMode, slashCommands } = body.value;
        this.#say({ type: "system", subtype: "init", model, permissionMode, session_id: "" });
        void this.#sendCommands(slashCommands);
        return;
      }
      case "permissionAsked":
      case "questionAsked":
        if (body.value.question) this.#questions.ask(body.value.question);
        return;
      case "permissionDecided":
      case "questionAnswered":
        this.#questions.settled(body.value.questionId);
        return;
      case "turnComplete":
        await this.#sending;
        this.#end(body.value);
        return;
      case "promptChange":
        await this.#sending;
        if (body.value.state === PromptState.CANCELLED) this.#cancelled(body.value.promptId);
        return;
      case "statusChange":
        if (body.value.status === SessionStatus.FAILED) this.#failAll(this.#failure || body.value.reason);
        return;
      case "error":
        this.#failure = body.value.message;
    }
    for (const message of messages) this.#say(message);
  }

  /** Sends the agent's commands; their descriptions come from its handshake. */
  async #sendCommands(names: readonly string[]): Promise<void> {
    const { client, session } = this.#options;
    const known = await client.workspace
      .listCommands({ sessionId: session.id }, { signal: this.#leaving.signal })
      .catch(() => ({ commands: [] }));
    const commands = names.map((name) => {
      const { description = "", argumentHint = "" } = known.commands.find((one) => one.name === name) ?? {};
      return { name, description, argumentHint };
    });
    if (!this.#leaving.signal.aborted) this.#say({ type: "system", subtype: "commands_changed", commands });
  }

  #show(sessionUpdate: "user_message_chunk" | "agent_message_chunk", text: string): void {
    const update = { sessionUpdate, content: { type: "text", text } };
    this.#options.write({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: this.#options.session.id, update },
    });
  }

  #end(turn: {
    subtype: string;
    isError: boolean;
    text: string;
    errors: readonly string[];
    terminalReason: string;
    promptIds: readonly string[];
  }): void {
    const uuids = turn.promptIds.flatMap((id) => this.#prompts.get(id) ?? []);
    for (const id of turn.promptIds) this.#prompts.delete(id);
    this.#result({ ...turn, uuids });
  }

  #result(turn: {
    subtype: string;
    isError: boolean;
    text: string;
    errors: readonly string[];
    terminalReason: string;
    uuids: readonly string[];
  }): void {
    this.#say({
      type: "result",
      subtype: turn.subtype,
      is_error: turn.isError,
      result: turn.text,
      errors: turn.errors,
      ...(turn.terminalReason !== "" && { terminal_reason: turn.terminalReason }),
      stop_reason: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      modelUsage: {},
      user_message_uuids: turn.uuids,
    });
  }

  #cancelled(promptId: string): void {
    const uuid = this.#prompts.get(promptId);
    this.#prompts.delete(promptId);
    if (uuid !== undefined) this.#say({ type: "command_lifecycle", command_uuid: uuid, state: "cancelled" });
  }

  #failAll(reason: string): void {
    const uuids = [...this.#prompts.values()];
    this.#prompts.clear();
    if (uuids.length > 0)
      this.#result({
        subtype: "error_during_execution",
        isError: true,
        text: "",
        errors: [reason],
        terminalReason: "",
        uuids,
      });
  }

  async #do(message: HostMessage): Promise<void> {
    if (message.type === "user") return this.#send(message.uuid ?? "", message.message.content);
    if (message.type === "control_response") return this.#questions.answered(message.response as JsonObject);
    if (message.type !== "control_request") return;
    const { request_id, request } = message;
    try {
      const { client, session } = this.#options;
      const response = await answerEditor(client, session, request, async () => {
        await this.#ready;
        return this.#history;
      });
      this.#say({ type: "control_response", response: { subtype: "success", request_id, response } });
    } catch (error) {
      this.#say({
        type: "control_response",
        response: { subtype: "error", request_id, error: reasonOf(error) },
      });
    }
  }

  async #send(uuid: string, content: unknown): Promise<void> {
    const { client, session } = this.#options;
    const said = typeof content === "string" ? { text: content } : { contentJson: JSON.stringify(content) };
    const sending = client.sessions.sendPrompt({ sessionId: session.id, ...said, idempotencyKey: uuid });
    this.#sending = sending.catch(() => {});
    try {
      const { promptId } = await sending;
      this.#prompts.set(promptId, uuid);
    } catch (error) {
      this.#result({
        subtype: "error_during_execution",
        isError: true,
        text: "",
        errors: [reasonOf(error)],
        terminalReason: "",
        uuids: [uuid],
      });
    }
  }
}
