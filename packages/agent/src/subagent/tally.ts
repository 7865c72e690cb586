import type { AssistantMessage } from "@agentwire/protocol/messages";
import { contextTokens } from "../model/context-window.ts";
import type { SubagentUsage } from "./notices.ts";

/** What a subagent has used so far. */
export class Tally {
  readonly #startedAt = performance.now();
  #toolUses = 0;
  #tokens = 0;
  lastTool: string | undefined;
  /** The size of the context in the last call. */
  contextTokens = 0;

  get toolUses(): number {
    return this.#toolUses;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Counts the usage of a reply. */
  said({ usage }: AssistantMessage["message"]): void {
    this.#tokens += usage.input_tokens + usage.output_tokens;
    this.contextTokens = contextTokens(usage);
  }

  /** Counts a tool call. */
  called(tool: string): void {
    this.#toolUses++;
    this.lastTool = tool;
  }

  get usage(): SubagentUsage {
    return {
      total_tokens: this.#tokens,
      tool_uses: this.#toolUses,
      duration_ms: Math.round(performance.now() - this.#startedAt),
    };
  }

  /** The subagent's id, usage and worktree, for the model. */
  account(id: string, whereabouts: readonly string[]): string {
    const { total_tokens, tool_uses, duration_ms } = this.usage;
    const lines = [`agentId: ${id}`, ...whereabouts].join("\n");
    return `${lines}\n<usage>subagent_tokens: ${total_tokens}\ntool_uses: ${tool_uses}\nduration_ms: ${duration_ms}</usage>`;
  }
}
