import type { ContentBlock } from "@agentwire/protocol";
import type { PromptFile } from "./context/context.ts";
import type { Hooks } from "./hooks/hooks.ts";
import { isCommand, joined, type Prompt, textOf } from "./inbox.ts";
import { keepIn } from "./mcp/keep-file.ts";
import type { McpServers } from "./mcp/servers.ts";
import type { Outlet } from "./outlet.ts";
import { splitCommand } from "./slash/local-commands.ts";

/** What becomes of prompts before a turn takes them. */
export interface Intake {
  /** A slash command that somebody wrote down stands for its text. */
  expand(prompts: readonly Prompt[], signal: AbortSignal): Promise<readonly Prompt[]>;
  /** Asks the hooks; returns what they add, or that they refuse the prompt. */
  ask(prompts: readonly Prompt[], signal: AbortSignal): Promise<readonly string[] | "refused">;
}

/** What an intake needs. */
export interface IntakeParts {
  readonly hooks: Hooks;
  readonly outlet: Outlet;
  readonly mcp: McpServers;
  /** The commands and skills of the user, the project and the plugins. */
  prompts(): Promise<ReadonlyMap<string, PromptFile>>;
  /** Where an MCP prompt keeps what does not fit the conversation. */
  readonly outputFolder: string;
  rename(title: string): void;
}

/** Makes the intake of a session. */
export function createIntake(parts: IntakeParts): Intake {
  return {
    async expand(prompts, signal) {
      const [first] = prompts;
      if (prompts.length !== 1 || !first || !isCommand(first)) return prompts;
      const content = await contentOf(parts, textOf(first.content), signal);
      return content === undefined ? prompts : [{ ...first, content }];
    },
    ask: (prompts, signal) => askHooks(parts, prompts, signal),
  };
}

async function contentOf(
  { prompts, mcp, outputFolder }: IntakeParts,
  command: string,
  signal: AbortSignal,
): Promise<Prompt["content"] | undefined> {
  const { name, args } = splitCommand(command);
  const file = (await prompts()).get(name);
  if (file) return file.expand(args, signal);
  const prompt = mcp.prompts().find((known) => known.name === name);
  if (!prompt) return undefined;
  const messages = await prompt.messages(args, keepIn(outputFolder, name), signal);
  return messages.flatMap(({ content }): readonly ContentBlock[] => content);
}

async function askHooks(
  { hooks, outlet, rename }: IntakeParts,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<readonly string[] | "refused"> {
  if (!hooks.listens("UserPromptSubmit")) return [];
  const facts = { prompt: textOf(joined(prompts, "\n")), source: prompts[0]?.synthetic ? "system" : "sdk" };
  const said = await hooks.run("UserPromptSubmit", facts, { signal });
  // A hook that was cut off by an interrupt has refused nothing.
  if (signal.aborted) return [];
  const refusal = said.block ?? said.stop;
  if (refusal) {
    const content = `A hook refused the prompt: ${refusal.reason}`;
    outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
    return "refused";
  }
  if (typeof said.specific.sessionTitle === "string") rename(said.specific.sessionTitle);
  return said.context;
}
