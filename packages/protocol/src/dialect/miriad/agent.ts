import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import { readMessage, type Sink } from "../../lines/decode.ts";
import type { Malformed } from "../../lines/malformed.ts";
import { type AgentMessage, type HostMessage, hostMessages } from "../../message.ts";
import type { AssistantMessage } from "../../messages/assistant.ts";
import type { ResultMessage } from "../../messages/result.ts";
import type { Translation } from "../dialect.ts";
import { asSystemLine } from "../other-types.ts";
import { promptFault } from "../prompt-fault.ts";
import { brief, expectingDefaults, objectAt, shown, withoutEmpty } from "../spelling.ts";
import { assistantLine, errorNotice, NOTHING_RUNS, resultLine, toolResultLines } from "./agent-lines.ts";
import { PromptLedger } from "./prompts.ts";
import { Questions } from "./questions.ts";
import { toMiriadMention } from "./tool-names.ts";

/** Speaks the miriad dialect for an agent. */
export class MiriadAgent implements Translation<HostMessage, AgentMessage> {
  /** Blocks of a reply that are not written yet: miriad has one line per reply, the canonical wire one per block. */
  #reply: AssistantMessage | undefined;
  readonly #prompts = new PromptLedger();
  readonly #questions = new Questions();
  /** The host's actions that are not answered yet, and whether a turn was running when they arrived. */
  readonly #actions = new Map<
    string,
    { readonly action: "interrupt" | "status"; readonly running: boolean }
  >();
  #running = false;
  #interrupted = false;
  /** miriad counts the tool-use cycles of a turn, i.e. replies that called a tool. */
  #cycles = new Set<unknown>();

  decode(value: JsonObject, sink: Sink<HostMessage>): void {
    switch (value.type) {
      case "user":
        this.#takePrompt(value, sink);
        return;
      case "control":
        this.#takeAction(value, sink);
        return;
      case "control_response":
        readMessage(hostMessages, this.#questions.answer(value), sink);
        return;
      default:
        if (typeof value.type !== "string" || UNDERSTOOD.has(value.type))
          readMessage(hostMessages, value, sink);
        else sink.reply(errorNotice(`Unknown message type: ${brief(value.type)}`));
    }
  }

  encode(message: AgentMessage): readonly unknown[] {
    if (message.type === "assistant") return this.#joinReply(message);
    if (message.type === "command_lifecycle") {
      this.#running ||= message.state === "started";
      return this.#prompts.follow(message);
    }
    const lines = [...this.#prompts.heard(message), ...this.#spell(message)];
    // A message that is not written must not split a reply.
    return lines.length === 0 ? [] : [...this.#writeReply(), ...lines];
  }

  refuse(fault: Malformed): readonly unknown[] {
    return [errorNotice(fault.reason)];
  }

  #spell(message: Exclude<AgentMessage, AssistantMessage>): readonly unknown[] {
    switch (message.type) {
      case "user":
        return toolResultLines(message);
      case "result":
        return [this.#endTurn(message)];
      case "control_response":
        return this.#answer(message.response);
      case "system":
        this.#running ||= message.subtype === "init";
        return HOUSEKEEPING.has(message.subtype)
          ? []
          : [withoutEmpty(toMiriadMention(message), "uuid", "session_id")];
      case "control_request":
        return [this.#questions.ask({ ...message })];
      case "control_cancel_request":
        this.#questions.withdraw(message.request_id);
        return [message];
      case "keep_alive":
        return [];
      default:
        return [toMiriadMention(asSystemLine(message))];
    }
  }

  #takePrompt(value: JsonObject, sink: Sink<HostMessage>): void {
    const fault = promptFault(value);
    if (fault !== undefined) {
      sink.reply(errorNotice(`the user message can't be read: ${fault}`));
      return;
    }
    // With a uuid the agent reports the prompt's progress, from which `queued` and `injected` are derived.
    const uuid = typeof value.uuid === "string" ? value.uuid : randomUUID();
    readMessage(
      hostMessages,
      { ...value, uuid },
      {
        ...expectingDefaults(sink),
        message: (prompt) => {
          this.#prompts.took(uuid, objectAt(value, "message").content);
          this.#running = true;
          sink.message(prompt);
        },
      },
    );
  }

  #takeAction({ action }: JsonObject, sink: Sink<HostMessage>): void {
    if (action !== "interrupt" && action !== "status") {
      sink.reply(errorNotice(`Unknown control action: ${shown(action)}`));
      return;
    }
    const id = randomUUID();
    this.#actions.set(id, { action, running: this.#running });
    const request = { subtype: action === "status" ? "session_status" : "interrupt" };
    sink.message({ type: "control_request", request_id: id, request });
  }

  #joinReply(message: AssistantMessage): readonly unknown[] {
    const { id, content } = message.message;
    const continues = id !== "" && this.#reply?.message.id === id;
    const lines = [...(continues ? [] : this.#writeReply()), ...this.#prompts.heard(message)];
    const begun = this.#reply?.message.content ?? [];
    this.#reply = { ...message, message: { ...message.message, content: [...begun, ...content] } };
    const callsTool = content.some((block) => block.type === "tool_use");
    // A reply without an id counts by itself; what a subagent does is part of the call that started it.
    if (callsTool && message.parent_tool_use_id === null) this.#cycles.add(id || message);
    // A call is announced before its tool runs, and the tool starts now.
    return callsTool ? [...lines, ...this.#writeReply()] : lines;
  }

  #writeReply(): readonly unknown[] {
    const reply = this.#reply;
    if (!reply) return [];
    this.#reply = undefined;
    return [assistantLine(reply)];
  }

  #endTurn(result: ResultMessage): JsonObject {
    const cycles = this.#cycles.size;
    const cancelled = this.#interrupted || result.terminal_reason?.startsWith("aborted") === true;
    this.#cycles = new Set();
    this.#running = false;
    this.#interrupted = false;
    return resultLine(result, cycles, cancelled);
  }

  #answer(response: JsonObject): readonly unknown[] {
    const id = shown(response.request_id);
    const asked = this.#actions.get(id);
    if (!asked) return [{ type: "control_response", response }];
    this.#actions.delete(id);
    if (asked.action === "status") {
      // The dialect has no field for what a session offers.
      const { init: _, permission_modes: __, ...status } = objectAt(response, "response");
      // An agent that reports no more than this still has a turn running, or not.
      return [{ type: "system", subtype: "status", running: this.#running, ...status }];
    }
    if (response.subtype === "error") return [errorNotice(shown(response.error))];
    // Our own agent knows; for any other agent, a turn that was running when the host asked and still is.
    const { interrupted = asked.running && this.#running } = objectAt(response, "response");
    if (interrupted !== true) return [errorNotice(NOTHING_RUNS)];
    if (this.#interrupted) return [];
    this.#interrupted = true;
    return [{ type: "system", subtype: "interrupted" }];
  }
}

/**
 * Types understood besides prompts, actions and answers: the official control protocol, which asks nothing of
 * hosts that do not know it.
 */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  "control_request",
  "control_cancel_request",
  "keep_alive",
  "update_environment_variables",
]);

/** System messages that miriad has no equivalent for: they are about the canonical wire itself. */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  "init",
  "status",
  "session_state_changed",
  "thinking_tokens",
  "commands_changed",
  "background_tasks_changed",
]);
