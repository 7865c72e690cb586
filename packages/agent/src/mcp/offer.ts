import type { Link } from "./link.ts";
import { type ListedPrompt, type ListedTool, listAll, readPrompt, readTool } from "./listing.ts";

/** What a connected server offers. */
export interface Offer {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
}

/** The offer of a server that is not connected. */
export const NO_OFFER: Offer = { tools: [], prompts: [] };

/** Asks a server for everything it offers. */
export async function readOffer(link: Link, signal: AbortSignal): Promise<Offer> {
  const { tools, prompts } = link.capabilities;
  const listedTools = tools ? await listAll(link, "tools/list", "tools", signal) : [];
  const listedPrompts = prompts ? await listAll(link, "prompts/list", "prompts", signal) : [];
  return {
    tools: listedTools.flatMap((entry) => readTool(entry) ?? []),
    prompts: listedPrompts.flatMap((entry) => readPrompt(entry) ?? []),
  };
}
