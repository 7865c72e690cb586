import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Outlet } from "../host/outlet.ts";
import { joined, type Prompt } from "../prompt.ts";
import { blocksOf, reminder } from "../turn/history.ts";
import { concatenated, withoutOrphans } from "../turn/joining.ts";
import { validBlocks } from "../turn/valid-blocks.ts";
import type { SessionContext } from "./context.ts";

/** What is added to prompts: the files that they mention, and context from hooks. */
export interface Additions {
  readonly attached: readonly ContentBlock[];
  readonly context: readonly string[];
}

/** Adds prompts to the conversation; after a deferred call they may be empty. */
export function rememberPrompts(
  { history, records, checkpoints, expectations }: SessionContext,
  given: readonly Prompt[],
  { context, attached }: Additions,
  mayBeEmpty: boolean,
): void {
  const { openCalls } = history;
  // A prompt that an earlier process stored but did not answer is already in the history.
  const isNew = ({ uuid }: Prompt) => !history.ends(uuid);
  const prompts = given.filter(isNew).map((prompt) => withoutOrphans(prompt, openCalls));
  const content = expectations().injects ? concatenated(prompts) : joined(prompts);
  // The API refuses an empty prompt, but the user should still get an answer.
  const isEmpty = prompts.length > 0 && blocksOf(content).length === 0;
  const said = isEmpty && !mayBeEmpty ? "(an empty prompt)" : content;
  history.add("user", said, ...prompts.map(({ uuid }) => uuid));
  history.add("user", [...attached, ...context.map(reminder)]);
  for (const { uuid, content: own, synthetic } of prompts) {
    const extra = synthetic ? { isMeta: true } : {};
    records.add({ uuid, type: "user", message: { role: "user", content: own }, extra });
  }
  for (const { uuid } of given) void checkpoints.begin(uuid);
}

/** Removes what the provider would refuse from prompts, and tells the host what was left out. */
export function validPrompts(prompts: readonly Prompt[], outlet: Outlet): readonly Prompt[] {
  return prompts.map((prompt) => {
    if (typeof prompt.content === "string") return prompt;
    const { blocks, faults } = validBlocks(prompt.content);
    for (const fault of faults)
      outlet.tell({
        type: "system",
        subtype: "informational",
        content: `The prompt was accepted without ${fault}.`,
        level: "warning",
      });
    return blocks === prompt.content ? prompt : { ...prompt, content: blocks };
  });
}
