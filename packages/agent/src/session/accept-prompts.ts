import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Outlet } from "../host/outlet.ts";
import { joined, type Prompt } from "../prompt.ts";
import { blocksOf, reminder } from "../turn/history.ts";
import { concatenated, withoutOrphans } from "../turn/joining.ts";
import { validBlocks } from "../turn/valid-blocks.ts";
import type { SessionContext } from "./context.ts";

/** What comes with prompts: the files that they mention, and what hooks have to say. */
export interface Additions {
  readonly attached: readonly ContentBlock[];
  readonly context: readonly string[];
}

/** Takes prompts into the conversation; after a call that was put off there need not be a word in them. */
export function rememberPrompts(
  { history, records, checkpoints, expectations }: SessionContext,
  given: readonly Prompt[],
  { context, attached }: Additions,
  mayBeEmpty: boolean,
): void {
  const { openCalls } = history;
  // One that an earlier process has stored, without coming to its answer, is there already.
  const isNew = ({ uuid }: Prompt) => !history.ends(uuid);
  const prompts = given.filter(isNew).map((prompt) => withoutOrphans(prompt, openCalls));
  const content = expectations().injects ? concatenated(prompts) : joined(prompts);
  // The API refuses a prompt without a word in it, but the user is owed an answer all the same.
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

/** Prompts without what the provider would refuse; the host is told what had to be left out. */
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
