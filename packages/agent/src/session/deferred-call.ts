import type { ToolUseBlock } from "@agentwire/protocol/messages";
import type { Outlet } from "../host/outlet.ts";
import type { Prompt } from "../prompt.ts";
import { DEFERRED_CALL_LINE } from "../store/entry.ts";
import type { Records } from "../store/records.ts";
import { blocksOf, type History } from "../turn/history.ts";

/** The call that a hook has deferred, if there is one: it runs in the next turn, in this process or a later one. */
export class DeferredCall {
  readonly #history: History;
  readonly #records: Records;
  readonly #outlet: Outlet;
  #call: ToolUseBlock | undefined;
  readonly #prompts: Prompt[] = [];

  /** `earlier` is the call left by an earlier process of the session. */
  constructor(history: History, records: Records, outlet: Outlet, earlier: ToolUseBlock | undefined) {
    this.#history = history;
    this.#records = records;
    this.#outlet = outlet;
    this.#call = earlier;
  }

  /** The call, as long as the conversation ends with it. */
  get call(): ToolUseBlock | undefined {
    const last = this.#history.messages.at(-1);
    const id = this.#call?.id;
    if (last?.role !== "assistant" || id === undefined) return undefined;
    return blocksOf(last.content).some((block) => block.type === "tool_use" && block.id === id)
      ? this.#call
      : undefined;
  }

  /** Defers a call to the next turn. */
  keep({ id, name, input }: Pick<ToolUseBlock, "id" | "name" | "input">): void {
    this.#call = { type: "tool_use", id, name, input };
    this.#records.note({ type: DEFERRED_CALL_LINE, toolUseId: id, sessionId: this.#outlet.sessionId });
  }

  /** Holds prompts that can't be answered until the call has run. */
  hold(prompts: readonly Prompt[]): void {
    this.#prompts.push(...prompts);
  }

  /** The prompts that waited for the call, followed by the new ones. */
  with(prompts: readonly Prompt[]): readonly Prompt[] {
    return [...this.#prompts.splice(0), ...prompts];
  }
}
