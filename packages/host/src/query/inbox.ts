import { rawMessage } from "@agentwire/protocol";
import type { AgentOutputMessage } from "../link/link.ts";
import type { SlashCommand } from "../sdk/catalog.ts";
import type { SDKMessage } from "../sdk/messages.ts";
import type { Running } from "./running.ts";

/** The messages that a query holds for its reader, and what it learns from them in passing. */
export class Inbox {
  readonly #outcome = new Outcome();
  /** Messages that came before anyone could read, or that the host adds itself. */
  readonly #early: SDKMessage[] = [];
  /** A result that is held back until its session is in the store. */
  #held: SDKMessage | undefined;
  #commands: SlashCommand[] | undefined;

  /** The session's commands after their last change. */
  get commands(): SlashCommand[] | undefined {
    return this.#commands;
  }

  /** The text of the last result, if it was an error. */
  get errorText(): string | undefined {
    return this.#outcome.errorText;
  }

  /** Whether a result is held back for the store. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Adds a message ahead of the agent's further ones. */
  add(message: SDKMessage): void {
    this.#early.push(message);
  }

  /** The next message, if there is one. */
  take(running: Running | undefined): SDKMessage | undefined {
    if (this.#held) return undefined;
    if (this.#early.length > 0) return this.#early.shift();
    while (running) {
      const said = running.link.messages.take();
      if (!said) return undefined;
      if (said.type === "transcript_mirror") running.mirror?.add(said);
      const message = toYield(said);
      if (!message) continue;
      // Almost all messages are deltas of a reply, which say nothing about how it ends.
      if (message.type === "stream_event") return message;
      this.#note(message);
      if (message.type !== "result" || !running.mirror) return message;
      this.#held = message;
      return undefined;
    }
    return undefined;
  }

  /** Keeps the messages that have arrived, for the reader; `onMessage` is called for each. */
  keep(running: Running, onMessage: (message: SDKMessage) => void): void {
    const kept = this.#early.splice(0);
    for (let message = this.take(running); message; message = this.take(running)) {
      onMessage(message);
      kept.push(message);
    }
    for (const message of kept) this.#early.push(message);
  }

  /** Drains unread messages; those for the store still get there. */
  discard({ link, mirror }: Running): void {
    for (let said = link.messages.take(); said; said = link.messages.take())
      if (said.type === "transcript_mirror") mirror?.add(said);
  }

  /** Waits until everything earlier is in the store, then releases the result that was held back. */
  async release({ mirror }: Running): Promise<void> {
    await mirror?.flush();
    if (this.#held) this.#early.push(this.#held);
    this.#held = undefined;
  }

  #note(message: SDKMessage): void {
    this.#outcome.note(message);
    if (message.type === "system" && message.subtype === "commands_changed")
      this.#commands = message.commands;
  }
}

/** What a query yields for a message of the agent: the object as it was on the wire; undefined for messages between host and agent. */
function toYield(said: AgentOutputMessage): SDKMessage | undefined {
  switch (said.type) {
    case "keep_alive":
    case "transcript_mirror":
      return undefined;
    case "system":
      // The host asked for these to know when the agent is idle; a user who did not ask must not see them.
      if (said.subtype === "session_state_changed" && said.sdk_host_only === true) return undefined;
  }
  return rawMessage(said) as SDKMessage;
}

/** Remembers whether the last message of a session is a failure, which says more than the exit code that follows. */
class Outcome {
  #errorText: string | undefined;

  /** The text of an error result that nothing followed. */
  get errorText(): string | undefined {
    return this.#errorText;
  }

  note(message: SDKMessage): void {
    if (message.type === "result") this.#noteResult(message);
    // Notices between the result and the exit say nothing about how it went.
    else if (message.type !== "system") this.#errorText = undefined;
  }

  #noteResult(result: Extract<SDKMessage, { type: "result" }>): void {
    const isEmpty = result.subtype === "success" && result.num_turns === 0 && result.result === "";
    // A local command after a failure did not call the model, so the failure still stands.
    if (isEmpty && !result.is_error) return;
    this.#errorText = result.is_error ? textOf(result) || undefined : undefined;
  }
}

function textOf(result: Extract<SDKMessage, { type: "result" }>): string {
  if (result.subtype === "success") return result.result;
  const { errors = [] } = result as { errors?: readonly unknown[] };
  return errors
    .map((error) => String(error).trim())
    .filter((text) => text !== "")
    .join("; ");
}
