import type { Version } from "@agentwire/protocol/compatibility";
import { HostError } from "../errors.ts";
import type { Argument } from "./argv.ts";
import type { Initialize } from "./initialize.ts";
import { isSince, PROMPT_DELIVERY } from "./version-gates.ts";

/** What `initialize` says, and what has to be said by flags because this agent would not read it there. */
export interface PromptDelivery {
  readonly initialize: Initialize;
  readonly flags: readonly Argument[];
}

/** Splits prompts and subagents between `initialize` and the command line, by what an agent of this version reads. */
export function deliverPrompts(initialize: Initialize, version: Version | undefined): PromptDelivery {
  if (isSince(version, PROMPT_DELIVERY.inParts)) return { initialize, flags: [] };
  const { systemPrompt, appendSystemPrompt, agents, ...rest } = initialize;
  const text = systemPrompt?.join("\n\n");
  if (isSince(version, PROMPT_DELIVERY.inInitialize)) {
    // The one text that older agents expect where newer ones want a list.
    const asText = text === undefined ? {} : { systemPrompt: text as unknown as string[] };
    return { initialize: { ...rest, ...asText, appendSystemPrompt, agents }, flags: [] };
  }
  const flags = [
    ...prompt("--system-prompt", text),
    ...prompt("--append-system-prompt", appendSystemPrompt),
    ...(agents ? ["--agents", JSON.stringify(agents)] : []),
  ];
  return { initialize: rest, flags };
}

function prompt(flag: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  if (Buffer.byteLength(text) < MAX_PROMPT_BYTES) return [`${flag}=${text}`];
  throw new HostError(
    "unsupported_option",
    `systemPrompt is too long for this agent, which takes it only as a flag`,
  );
}

const MAX_PROMPT_BYTES = 100_000;
