import { isJsonObject } from "../../json.ts";
import type { AgentMessage } from "../../message.ts";
import type { CommandLifecycleMessage } from "../../messages/progress.ts";

/**
 * Follows prompts through the queue and reports them as miriad does: `queued` immediately, `injected` when
 * they join a turn.
 */
export class PromptLedger {
  /** The UTF-16 length of each prompt's text, until the prompt is done. */
  readonly #lengths = new Map<string, number>();
  /** By session: each has its own queue, although only one of them has a turn. */
  readonly #waiting = new Map<string, Set<string>>();
  /** The prompt that starts a new turn: its agent reports it as queued as well, though nothing is ahead of it. */
  #opener: string | undefined;
  #inTurn = false;
  /** The lengths of prompts that have started within the running turn. */
  #joining: number[] = [];

  /** Notes a prompt that was passed to the agent. */
  took(uuid: string, content: unknown): void {
    this.#lengths.set(uuid, textOf(content).length);
  }

  /** Takes a report about a prompt and returns the lines that result. */
  follow({ command_uuid: uuid, state, session_id = "" }: CommandLifecycleMessage): readonly unknown[] {
    switch (state) {
      case "queued": {
        if (!this.#inTurn && this.#opener === undefined && this.#waiting.size === 0) {
          this.#opener = uuid;
          return [];
        }
        const queue = this.#waiting.get(session_id) ?? new Set();
        this.#waiting.set(session_id, queue.add(uuid));
        return [{ type: "system", subtype: "queued", session_id, position: queue.size }];
      }
      case "started": {
        const waited = this.#leaves(uuid, session_id);
        if (!this.#inTurn) this.#opener ??= uuid;
        else if (waited) this.#joining.push(this.#lengths.get(uuid) ?? 0);
        return [];
      }
      default:
        this.#lengths.delete(uuid);
        this.#leaves(uuid, session_id);
        if (this.#opener === uuid) this.#opener = undefined;
        return [];
    }
  }

  #leaves(uuid: string, sessionId: string): boolean {
    const queue = this.#waiting.get(sessionId);
    const waited = queue?.delete(uuid) ?? false;
    if (queue?.size === 0) this.#waiting.delete(sessionId);
    return waited;
  }

  /** Takes the next message of a turn; prompts that started since the last one joined the turn together before it. */
  heard(message: AgentMessage): readonly unknown[] {
    if (message.type === "assistant" || (message.type === "system" && message.subtype === "init")) {
      this.#inTurn = true;
      this.#opener = undefined;
    }
    if (message.type === "result") this.#inTurn = false;
    // An agent that reports it itself reports it in time.
    if (message.type === "system" && message.subtype === "injected") this.#joining = [];
    if (this.#joining.length === 0) return [];
    const lengths = this.#joining;
    this.#joining = [];
    const texts = lengths.filter((length) => length > 0);
    const breaks = SEPARATOR.length * Math.max(0, texts.length - 1);
    const content_length = texts.reduce((sum, length) => sum + length, breaks);
    return [{ type: "system", subtype: "injected", message_count: lengths.length, content_length }];
  }
}

/** The separator between prompts that are joined into one. */
const SEPARATOR = "\n\n";

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isJsonObject)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}
