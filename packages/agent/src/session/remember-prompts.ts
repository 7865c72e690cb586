import type { ContentBlock } from "@agentwire/protocol/messages";
import { joined, type Prompt } from "../prompt.ts";
import { blocksOf, reminder } from "../turn/history.ts";
import { concatenated, withoutOrphans } from "../turn/joining.ts";
import type { SessionParts } from "./session-parts.ts";

/** What takes prompts in. */
type Memory = Pick<SessionParts, "history" | "records" | "beginCheckpoint" | "services">;

/** What comes with prompts: the files that they mention, and what hooks have to say. */
export interface Additions {
  readonly attached: readonly ContentBlock[];
  readonly context: readonly string[];
}

/** Takes prompts into the conversation; after a call that was put off there need not be a word in them. */
export function rememberPrompts(
  { history, records, beginCheckpoint, services }: Memory,
  given: readonly Prompt[],
  { context, attached }: Additions,
  mayBeEmpty: boolean,
): void {
  const { openCalls } = history;
  const prompts = given.map((prompt) => withoutOrphans(prompt, openCalls));
  const content = services.manner().injects ? concatenated(prompts) : joined(prompts);
  // The API refuses a prompt without a word in it, but the user is owed an answer all the same.
  const isEmpty = blocksOf(content).length === 0;
  const said = isEmpty && !mayBeEmpty ? "(an empty prompt)" : content;
  history.add("user", said, ...prompts.map(({ uuid }) => uuid));
  history.add("user", [...attached, ...context.map(reminder)]);
  for (const { uuid, content: own, synthetic } of prompts) {
    const extra = synthetic ? { isMeta: true } : {};
    records.add({ uuid, type: "user", message: { role: "user", content: own }, extra });
    beginCheckpoint(uuid);
  }
}
