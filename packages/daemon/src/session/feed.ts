import type { Database } from "../store/database.ts";
import { promptContent } from "../store/prompt-table.ts";
import { StoreError } from "../store/store-error.ts";
import type { AgentRun } from "./agent-run.ts";
import { errorDraft } from "./events/error.ts";
import type { Prompt, Prompts } from "./prompts.ts";
import type { SessionState } from "./state.ts";

interface FeedOptions {
  readonly db: Database;
  readonly prompts: Prompts;
  readonly state: SessionState;
}

/**
 * Gives prompts to an agent, each read when its turn has come: until then it is only in the store. One that is damaged there is
 * cancelled; gives back why nothing can be read, if that is so.
 */
export async function feed(
  run: AgentRun,
  due: readonly Prompt[],
  { db, prompts, state }: FeedOptions,
): Promise<StoreError | undefined> {
  await run.ready();
  for (const { id } of due) {
    // It may have been taken back meanwhile.
    if (!prompts.isQueued(id)) continue;
    try {
      await run.send(id, promptContent(db, id), state.record.agentSessionId);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      state.tell([errorDraft({ code: "prompt_unreadable", message: error.message })]);
      if (error.code !== "corrupt") return error;
      state.tellAll(prompts.cancelled(id));
    }
  }
  return undefined;
}
