import { withGrace } from "../abort.ts";
import type { Conversation } from "./conversation.ts";
import type { FinishedCall } from "./run-tools.ts";
import { askBeside, firstLine } from "./side-query.ts";

const SYSTEM =
  "You are told what the tools of a coding agent were asked to do and what came of it. Say in at most eight words what was done, in the past tense, as a label on a progress list. Write nothing else.";
const MAX_TOKENS = 60;
const MAX_CHARS_PER_CALL = 600;
const PATIENCE_MS = 10_000;

/**
 * Has a small model summarize what the tools of a step did, if the host's environment enables that. It runs in parallel with the
 * next step; only the end of the turn waits for it.
 */
export class ToolSummaries {
  readonly #conversation: Conversation;
  readonly #signal: AbortSignal;
  #telling: Promise<void> = Promise.resolve();

  constructor(conversation: Conversation, signal: AbortSignal) {
    this.#conversation = conversation;
    this.#signal = signal;
  }

  begin(calls: readonly FinishedCall[]): void {
    const { services, agent } = this.#conversation;
    if (!services.config.toolSummaries || agent || calls.length === 0) return;
    const before = this.#telling;
    const summary = this.#summarise(calls);
    this.#telling = before.then(async () => {
      const text = await summary;
      if (text === "") return;
      const preceding_tool_use_ids = calls.map(({ tool_use_id }) => tool_use_id);
      this.#conversation.tell({ type: "tool_use_summary", summary: text, preceding_tool_use_ids });
    });
  }

  /** Resolves when every summary has been sent, or the turn is aborted. */
  async told(): Promise<void> {
    await withGrace(this.#telling, this.#signal).catch(() => {});
  }

  async #summarise(calls: readonly FinishedCall[]): Promise<string> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(PATIENCE_MS)]);
    const { models } = this.#conversation.services;
    const call = { model: models.small, system: [SYSTEM], tools: [], maxTokens: MAX_TOKENS };
    const question = calls.map(describe).join("\n\n");
    // A failed summary is not reported.
    const answer = askBeside(
      this.#conversation.services,
      { call, messages: [], question, maxTokens: MAX_TOKENS },
      signal,
    );
    return firstLine(await answer.catch(() => ""));
  }
}

const describe = ({ tool_name, tool_input, tool_response: said }: FinishedCall) =>
  `${tool_name} ${cut(JSON.stringify(tool_input))}\nResult: ${cut(typeof said === "string" ? said : JSON.stringify(said))}`;

const cut = (text = "") =>
  text.length > MAX_CHARS_PER_CALL ? `${text.slice(0, MAX_CHARS_PER_CALL)} ...` : text;
