import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { AgentRun } from "./agent-run.ts";
import { errorDraft } from "./events/error.ts";
import type { Journal } from "./journal.ts";
import type { Prompt, Prompts } from "./prompts.ts";
import type { SessionState } from "./state.ts";

/** The dependencies for giving prompts to an agent. */
export interface WriteOptions {
  readonly store: Store;
  readonly prompts: Prompts;
  readonly state: SessionState;
  readonly journal: Journal;
}

/**
 * Gives prompts to an agent, each read from the store only when it is sent. A damaged one is cancelled; resolves with the error if the
 * store can't be read. On request, each prompt is stored as started before the agent has it.
 */
export async function writePrompts(
  run: AgentRun,
  due: readonly Prompt[],
  { store, prompts, state, journal }: WriteOptions,
  isNotedFirst: boolean,
): Promise<StoreError | undefined> {
  for (const { id } of due) {
    // It may be withdrawn at any time.
    const isWanted = () => prompts.isQueued(id) && prompts.wasSent(id);
    if (!isWanted()) continue;
    try {
      const content = await store.prompts.content(id);
      if (!isWanted()) continue;
      if (isNotedFirst) {
        const { drafts, writes } = prompts.begun(id);
        await journal.say(drafts, writes);
      }
      await run.send(id, content, state.record.agentSessionId);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      state.tell([errorDraft({ code: "prompt_unreadable", message: error.message })]);
      if (error.code !== "corrupt") return error;
      state.tellAll(prompts.unreadable(id));
    }
  }
  return undefined;
}
