import { rawMessage } from "@agentwire/protocol";
import type { AgentOutputMessage } from "../link/link.ts";
import type { SlashCommand } from "../sdk/catalog.ts";
import type { SDKMessage } from "../sdk/messages.ts";
import type { Running } from "./running.ts";

/** What a query has for its reader, and what it learns from it in passing. */
export class Inbox {
  readonly #outcome = new Outcome();
  /** Messages that came before anyone could read, or that the host itself adds. */
  readonly #early: SDKMessage[] = [];
  /** A result whose session must be in the store before it is told. */
  #held: SDKMessage | undefined;
  #commands: SlashCommand[] | undefined;

  /** The commands of the session since they last changed. */
  get commands(): SlashCommand[] | undefined {
    return this.#commands;
  }

  /** What the last result said, if it was an error. */
  get errorText(): string | undefined {
    return this.#outcome.errorText;
  }

  /** Whether a result waits for the store. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Adds a message ahead of those that the agent has yet to say. */
  add(message: SDKMessage): void {
    this.#early.push(message);
  }

  /** The next message if it is there. */
  take(running: Running | undefined): SDKMessage | undefined {
    if (this.#held) return undefined;
    if (this.#early.length > 0) return this.#early.shift();
    while (running) {
      const said = running.link.messages.take();
      if (!said) return undefined;
      if (said.type === "transcript_mirror") running.mirror?.add(said);
      const message = toYield(said);
      if (!message) continue;
      // Almost all messages are pieces of a reply: they say nothing about how it ends.
      if (message.type === "stream_event") return message;
      this.#note(message);
      if (message.type !== "result" || !running.mirror) return message;
      this.#held = message;
      return undefined;
    }
    return undefined;
  }

  /** Takes what is there without giving it away; `onMessage` sees it pass. */
  keep(running: Running, onMessage: (message: SDKMessage) => void): void {
    const kept = this.#early.splice(0);
    for (let message = this.take(running); message; message = this.take(running)) {
      onMessage(message);
      kept.push(message);
    }
    for (const message of kept) this.#early.push(message);
  }

  /** Drains unread messages; those that belong into the store get there. */
  discard({ link, mirror }: Running): void {
    for (let said = link.messages.take(); said; said = link.messages.take())
      if (said.type === "transcript_mirror") mirror?.add(said);
  }

  /** Waits until all that came before is in the store, and lets a result go that waited for it. */
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

/** What a query gives its user for what an agent said: the object as it was on the wire; undefined for what is between host and agent. */
function toYield(said: AgentOutputMessage): SDKMessage | undefined {
  switch (said.type) {
    case "keep_alive":
    case "transcript_mirror":
      return undefined;
    case "system":
      // We asked for these to know when the agent rests; a user who did not must not see them.
      if (said.subtype === "session_state_changed" && said.sdk_host_only === true) return undefined;
  }
  return rawMessage(said) as SDKMessage;
}

/** Remembers whether the last that a session said is a failure: it tells more than the exit code that follows. */
class Outcome {
  #errorText: string | undefined;

  /** The text of the error result that nothing came after. */
  get errorText(): string | undefined {
    return this.#errorText;
  }

  note(message: SDKMessage): void {
    if (message.type === "result") this.#noteResult(message);
    // Notices between the result and the exit say nothing new about how it went.
    else if (message.type !== "system") this.#errorText = undefined;
  }

  #noteResult(result: Extract<SDKMessage, { type: "result" }>): void {
    const isEmpty = result.subtype === "success" && result.num_turns === 0 && result.result === "";
    // A local command after a failure asked no model: the failure is still the last word.
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
