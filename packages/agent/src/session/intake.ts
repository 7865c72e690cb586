import type { ContentBlock } from "@agentwire/protocol";
import type { PromptFile } from "../context/context.ts";
import type { HookOutcome, Hooks } from "../hooks/hooks.ts";
import { keepIn } from "../mcp/keep-file.ts";
import type { McpServers } from "../mcp/servers.ts";
import { splitCommand } from "../slash/local-commands.ts";
import { isCommand, joined, type Prompt, textOf } from "./inbox.ts";
import type { Outlet } from "./outlet.ts";

/** Prompts as a turn takes them. */
export interface TakenPrompts {
  readonly prompts: readonly Prompt[];
  /** What hooks add to them, or that they refuse them. */
  readonly context: readonly string[] | "refused";
  /** The command that was given, if somebody wrote it down: it may name its model and the tools that need no question. */
  readonly command?: Pick<PromptFile, "allowedTools" | "model"> | undefined;
}

/** What becomes of prompts before a turn takes them. */
export interface Intake {
  /** Lets a slash command that somebody wrote down stand for its text, and asks the hooks. */
  take(prompts: readonly Prompt[], signal: AbortSignal): Promise<TakenPrompts>;
  /** The prompt with the text that it stands for, if it is such a command. */
  expand(prompt: Prompt, signal: AbortSignal): Promise<Prompt>;
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
  const expand = async (prompt: Prompt, signal: AbortSignal) =>
    (await expansionOf(parts, prompt, signal))?.prompt ?? prompt;
  return {
    expand,
    async take(prompts, signal) {
      const [first] = prompts;
      const expansion = prompts.length === 1 && first ? await expansionOf(parts, first, signal) : undefined;
      if (!expansion) return { prompts, context: await askHooks(parts, prompts, signal) };
      const added = await askExpansionHooks(parts, expansion, signal);
      const expanded = [expansion.prompt];
      if (added === "refused") return { prompts: expanded, context: added };
      const { command } = expansion;
      const context = await askHooks(parts, expanded, signal);
      return {
        prompts: expanded,
        context: context === "refused" ? context : [...added, ...context],
        command,
      };
    },
  };
}

/** A command that has become the text it stands for. */
interface Expansion {
  readonly prompt: Prompt;
  readonly typed: string;
  readonly kind: "slash_command" | "mcp_prompt";
  readonly command?: PromptFile;
}

async function expansionOf(
  { prompts, mcp, outputFolder }: IntakeParts,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Expansion | undefined> {
  if (!isCommand(prompt)) return undefined;
  const typed = textOf(prompt.content);
  const { name, args } = splitCommand(typed);
  const file = (await prompts()).get(name);
  if (file) {
    const content = await file.expand(args, signal);
    return { prompt: { ...prompt, content }, typed, kind: "slash_command", command: file };
  }
  const known = mcp.prompts().find((other) => other.name === name);
  if (!known) return undefined;
  const messages = await known.messages(args, keepIn(outputFolder, name), signal);
  const content = messages.flatMap((message): readonly ContentBlock[] => message.content);
  return { prompt: { ...prompt, content }, typed, kind: "mcp_prompt" };
}

async function askExpansionHooks(
  parts: IntakeParts,
  { typed, kind }: Expansion,
  signal: AbortSignal,
): Promise<readonly string[] | "refused"> {
  const { hooks, outlet } = parts;
  if (!hooks.listens("UserPromptExpansion")) return [];
  const { name, args } = splitCommand(typed);
  const facts = { expansion_type: kind, command_name: name, command_args: args, prompt: typed };
  const said = await hooks.run("UserPromptExpansion", facts, { signal });
  return verdict(outlet, said, signal);
}

async function askHooks(
  { hooks, outlet, rename }: IntakeParts,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<readonly string[] | "refused"> {
  if (!hooks.listens("UserPromptSubmit")) return [];
  const facts = { prompt: textOf(joined(prompts, "\n")), source: prompts[0]?.synthetic ? "system" : "sdk" };
  const said = await hooks.run("UserPromptSubmit", facts, { signal });
  const { sessionTitle } = said.specific;
  const context = verdict(outlet, said, signal);
  if (context !== "refused" && typeof sessionTitle === "string") rename(sessionTitle);
  return context;
}

/** What hooks add to a prompt, or that they refuse it, of which the host is told. */
function verdict(outlet: Outlet, said: HookOutcome, signal: AbortSignal): readonly string[] | "refused" {
  // A hook that was cut off by an interrupt has refused nothing.
  if (signal.aborted) return [];
  const refusal = said.block ?? said.stop;
  if (!refusal) return said.context;
  const content = `A hook refused the prompt: ${refusal.reason}`;
  outlet.tell({ type: "system", subtype: "informational", content, level: "warning" });
  return "refused";
}
