import { randomUUID } from "node:crypto";
import type { ContentBlock } from "../../content/content.ts";
import { NO_USAGE } from "../../content/usage.ts";
import type { JsonObject } from "../../json.ts";
import type { AgentMessage } from "../../message.ts";
import type { AssistantMessage } from "../../messages/assistant.ts";
import { Unknown } from "../../schema/unknown.ts";
import { objectAt, objectsAt, stringAt } from "../spelling.ts";
import { canonicalBlock } from "./content.ts";
import { withoutNulls } from "./permissions.ts";
import { PLAN_TOOL, planInput } from "./plan.ts";
import { namedCall, textOf } from "./tool-calls.ts";

/** Where canonical messages go. */
type Say = (message: AgentMessage) => void;

/** What the reader needs to know about the session. */
export interface ReaderSession {
  readonly id: () => string;
  readonly model: () => string;
  /** Whether the host wants partial replies. */
  readonly isPartial: () => boolean;
}

/** A block of the reply that is being written. */
interface OpenBlock {
  readonly kind: "text" | "thinking";
  text: string;
}

/** A tool call as far as it has been reported. */
interface OpenCall {
  update: JsonObject;
  isSaid: boolean;
}

/** Turns the updates of a turn into canonical messages; closes what is still open at its end. */
export class UpdateReader {
  readonly #session: ReaderSession;
  #messageId = "";
  #index = -1;
  #block: OpenBlock | undefined;
  #text = "";
  readonly #calls = new Map<string, OpenCall>();

  constructor(session: ReaderSession) {
    this.#session = session;
  }

  /** The last text of the turn, which becomes its result. */
  get text(): string {
    return this.#text;
  }

  /** Takes an update that belongs to the conversation; false if it does not. */
  take(update: JsonObject, say: Say): boolean {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#chunk("text", update, say);
        return true;
      case "agent_thought_chunk":
        this.#chunk("thinking", update, say);
        return true;
      case "tool_call":
      case "tool_call_update":
        this.#call(update, say);
        return true;
      case "plan":
        this.#plan(update, say);
        return true;
      default:
        return false;
    }
  }

  /** Reports a call before a question about it is asked; returns all that is known about the call. */
  ask(update: JsonObject, say: Say): JsonObject {
    const id = stringAt(update, "toolCallId") ?? "";
    const call = this.#calls.get(id) ?? { update: {}, isSaid: false };
    call.update = { ...call.update, ...withoutNulls(update) };
    this.#calls.set(id, call);
    this.#sayCall(id, call, say);
    return call.update;
  }

  /** The turn has ended. */
  end(say: Say): void {
    this.#sayPending(say);
    this.#closeMessage(say);
    for (const [id, { isSaid }] of this.#calls)
      if (isSaid)
        say(this.#result(id, "The turn ended before the agent reported the outcome of this call.", true));
    this.#calls.clear();
  }

  /** A new turn begins. */
  begin(): void {
    this.#text = "";
  }

  #chunk(kind: OpenBlock["kind"], update: JsonObject, say: Say): void {
    this.#sayPending(say);
    const content = objectAt(update, "content");
    const id = stringAt(update, "messageId");
    if (id !== undefined && id !== this.#messageId && this.#messageId !== "") this.#closeMessage(say);
    if (content.type !== "text") {
      this.#closeBlock(say);
      this.#whole(canonicalBlock(content), say, id);
      return;
    }
    const text = stringAt(content, "text") ?? "";
    if (this.#block?.kind !== kind) {
      this.#closeBlock(say);
      this.#openBlock(kind, say, id);
    }
    if (this.#block) this.#block.text += text;
    if (!this.#session.isPartial()) return;
    const delta = kind === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    say(this.#event({ type: "content_block_delta", index: this.#index, delta }));
  }

  #openBlock(kind: OpenBlock["kind"], say: Say, id: string | undefined): void {
    this.#openMessage(say, id);
    this.#index++;
    this.#block = { kind, text: "" };
    if (!this.#session.isPartial()) return;
    const content_block =
      kind === "text" ? { type: kind, text: "" } : { type: kind, thinking: "", signature: "" };
    say(this.#event({ type: "content_block_start", index: this.#index, content_block }));
  }

  #closeBlock(say: Say): void {
    const block = this.#block;
    if (!block) return;
    this.#block = undefined;
    if (block.kind === "text") this.#text = block.text;
    const content: ContentBlock =
      block.kind === "text"
        ? { type: "text", text: block.text }
        : { type: "thinking", thinking: block.text, signature: "" };
    say(this.#assistant(content));
    if (this.#session.isPartial()) say(this.#event({ type: "content_block_stop", index: this.#index }));
  }

  #openMessage(say: Say, id: string | undefined): void {
    if (this.#messageId !== "") return;
    this.#messageId = id ?? randomUUID();
    this.#index = -1;
    if (this.#session.isPartial()) say(this.#event({ type: "message_start", message: this.#message([]) }));
  }

  #closeMessage(say: Say): void {
    this.#closeBlock(say);
    if (this.#messageId !== "" && this.#session.isPartial()) say(this.#event({ type: "message_stop" }));
    this.#messageId = "";
  }

  #whole(block: ContentBlock, say: Say, id?: string): void {
    this.#openMessage(say, id);
    this.#index++;
    say(this.#assistant(block));
  }

  #call(update: JsonObject, say: Say): void {
    const id = stringAt(update, "toolCallId") ?? "";
    const known = this.#calls.get(id);
    if (!known) this.#sayPending(say);
    const call = known ?? { update: {}, isSaid: false };
    const { sessionUpdate: _, ...told } = withoutNulls(update);
    call.update = { ...call.update, ...told };
    this.#calls.set(id, call);
    const { status } = call.update;
    // Agents report a call while its input is still being written; it is passed on once it is complete.
    if (status !== undefined && status !== "pending") this.#sayCall(id, call, say);
    if (status !== "completed" && status !== "failed") return;
    this.#calls.delete(id);
    say(this.#result(id, resultText(call.update), status === "failed", outcomeOf(call.update)));
  }

  #sayPending(say: Say): void {
    for (const [id, call] of this.#calls) this.#sayCall(id, call, say);
  }

  #sayCall(id: string, call: OpenCall, say: Say): void {
    if (call.isSaid) return;
    call.isSaid = true;
    const { name, input } = namedCall(call.update);
    this.#closeBlock(say);
    this.#whole({ type: "tool_use", id, name, input }, say);
    this.#closeMessage(say);
  }

  #plan(update: JsonObject, say: Say): void {
    this.#sayPending(say);
    this.#closeBlock(say);
    const id = randomUUID();
    this.#whole({ type: "tool_use", id, name: PLAN_TOOL, input: planInput(update) }, say);
    this.#closeMessage(say);
    say(this.#result(id, "", false));
  }

  #assistant(block: ContentBlock): AgentMessage {
    return {
      type: "assistant",
      message: this.#message([block]),
      parent_tool_use_id: null,
      ...this.#trailer(),
    };
  }

  #message(content: ContentBlock[]): AssistantMessage["message"] {
    const model = this.#session.model();
    const id = this.#messageId;
    return {
      id,
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: NO_USAGE,
    };
  }

  #result(tool_use_id: string, text: string, isError: boolean, outcome?: JsonObject): AgentMessage {
    const block: ContentBlock = {
      type: "tool_result",
      tool_use_id,
      content: text,
      ...(isError && { is_error: true }),
    };
    return {
      type: "user",
      message: { role: "user", content: [block] },
      parent_tool_use_id: null,
      ...(outcome && { tool_use_result: outcome }),
      ...this.#trailer(),
    };
  }

  #event(event: JsonObject): AgentMessage {
    // Built directly in the shape that the schema requires: nine out of ten messages are made here and need
    // not be read again.
    return {
      type: "stream_event",
      event,
      parent_tool_use_id: null,
      uuid: "",
      session_id: this.#session.id(),
    } as never;
  }

  #trailer() {
    return { uuid: randomUUID(), session_id: this.#session.id() };
  }
}

/** The output of a call for people: its texts, or if there are none, its raw output. */
function resultText(update: JsonObject): string {
  const text = textOf(update);
  if (text !== "") return text;
  const { rawOutput } = update;
  if (typeof rawOutput === "string") return rawOutput;
  return rawOutput === undefined ? "" : JSON.stringify(rawOutput);
}

/** The output of a call beyond its text: diffs, terminals, files, and the raw output. */
function outcomeOf(update: JsonObject): JsonObject | undefined {
  const content = objectsAt(update, "content").filter(({ type }) => type !== "content");
  const { locations, rawOutput } = update;
  const outcome = {
    ...(content.length > 0 && { content }),
    ...(Array.isArray(locations) && locations.length > 0 && { locations }),
    ...(rawOutput !== undefined && typeof rawOutput !== "string" && { rawOutput }),
  };
  return Object.keys(outcome).length > 0 ? outcome : undefined;
}

/** An update of a kind that this version does not know, kept whole. */
export const unknownUpdate = (update: JsonObject): AgentMessage =>
  new Unknown(`acp/${stringAt(update, "sessionUpdate") ?? "update"}`, { ...update, type: "acp_update" });
