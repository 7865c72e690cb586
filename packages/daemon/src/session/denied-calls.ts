import { isDeepStrictEqual } from "node:util";
import type { AgentOutputMessage } from "@agentwire/host";
import { isJsonObject } from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import type { PlannedCall } from "../permission/question.ts";

/** Who decides about calls. */
export interface CallJudge {
  /** Whether any rule forbids anything. */
  readonly mayForbid: boolean;
  /** The agent has refused a call that it had not reported. */
  refused(call: PlannedCall): void;
}

/** Finds the calls that an agent refuses by its own copy of the rules, before it reports them. */
export class DeniedCalls {
  readonly #judge: CallJudge;
  /** Open calls of this turn that the agent has not reported. */
  readonly #untold = new Map<string, PlannedCall>();
  /** Calls of this turn that it has reported, perhaps before their message was processed. */
  readonly #told = new Set<string>();
  /** The same where an old agent does not name the call. */
  readonly #toldUnnamed: PlannedCall[] = [];

  constructor(judge: CallJudge) {
    this.#judge = judge;
  }

  /** The agent reports a call before it makes it. */
  told(call: PlannedCall): void {
    const { tool_use_id: id } = call;
    if (id === "") this.#toldUnnamed.push(call);
    this.#told.add(id);
    this.#untold.delete(id);
  }

  /** Takes in a message before it becomes events. */
  heard(message: AgentOutputMessage): void {
    if (message.type === "assistant") for (const block of message.message.content) this.#began(block);
    else if (message.type === "result") this.#clear();
    else if (message.type === "user" && !message.isReplay && typeof message.message.content !== "string")
      for (const block of message.message.content) this.#ended(block);
  }

  #began(block: ContentBlock): void {
    if (block.type !== "tool_use" || this.#told.has(block.id) || !this.#judge.mayForbid) return;
    const { id, name, input } = block;
    this.#untold.set(id, { tool_name: name, input: isJsonObject(input) ? input : {}, tool_use_id: id });
  }

  #ended(block: ContentBlock): void {
    if (block.type !== "tool_result") return;
    const call = this.#untold.get(block.tool_use_id);
    this.#untold.delete(block.tool_use_id);
    if (call && block.is_error && !this.#wasToldUnnamed(call)) this.#judge.refused(call);
  }

  #wasToldUnnamed({ tool_name: name, input }: PlannedCall): boolean {
    return this.#toldUnnamed.some((told) => told.tool_name === name && isDeepStrictEqual(told.input, input));
  }

  #clear(): void {
    this.#toldUnnamed.length = 0;
    this.#untold.clear();
    this.#told.clear();
  }
}
