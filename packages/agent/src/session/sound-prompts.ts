import type { Outlet } from "../host/outlet.ts";
import type { Prompt } from "../prompt.ts";
import { soundBlocks } from "../turn/sound-blocks.ts";

/** Prompts without what the provider would refuse; the host is told what had to be left out. */
export function soundPrompts(prompts: readonly Prompt[], outlet: Outlet): readonly Prompt[] {
  return prompts.map((prompt) => {
    if (typeof prompt.content === "string") return prompt;
    const { blocks, faults } = soundBlocks(prompt.content);
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
