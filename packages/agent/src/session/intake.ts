import { type ContentBlock, contentText } from "@agentwire/protocol/messages";
import type { PromptFile, PromptShell } from "../context/context.ts";
import type { HookResult, Hooks } from "../hooks/hooks.ts";
import type { Notice, Outlet } from "../host/outlet.ts";
import { keepIn } from "../mcp/keep-file.ts";
import type { McpServers } from "../mcp/servers.ts";
import { isCommand, joined, type Prompt } from "../prompt.ts";
import { splitCommand } from "../slash/local-commands.ts";

/** Prompts, prepared for a turn. */
export interface TakenPrompts {
  readonly prompts: readonly Prompt[];
  /** What hooks add to them. */
  readonly context: readonly string[];
  /** Set if hooks refuse them. */
  readonly refusal?: BlockedPrompts | undefined;
  /** Messages from hooks for the user, to be sent once the turn has started. */
  readonly messages: readonly string[];
  /** The given command, if it comes from a file: it may name a model, and tools that run without a question. */
  readonly command?: Pick<PromptFile, "allowedTools" | "model"> | undefined;
}

/** The refusal of prompts by hooks. */
export interface BlockedPrompts {
  /** For people. */
  readonly text: string;
  /** Whether the conversation keeps the prompts anyway. */
  readonly isKept: boolean;
}

/** What hooks return for prompts. */
type Said = Omit<TakenPrompts, "prompts" | "command">;

/** Prepares prompts before a turn takes them. */
export interface Intake {
  /** Replaces a slash command from a file with its text, and runs the hooks. */
  take(prompts: readonly Prompt[], signal: AbortSignal): Promise<TakenPrompts>;
  /** The prompt with its command's text, if it is such a command. */
  expand(prompt: Prompt, signal: AbortSignal): Promise<Prompt>;
}

/** What an intake needs. */
export interface IntakeParts {
  readonly hooks: Hooks;
  readonly outlet: Outlet;
  readonly mcp: McpServers;
  /** The commands and skills of the user, the project and the plugins. */
  prompts(): Promise<ReadonlyMap<string, PromptFile>>;
  /** Where an MCP prompt stores content that does not fit into the conversation. */
  readonly outputFolder: string;
  /** Decides whether the commands in them may run. */
  readonly promptShell: PromptShell;
  rename(title: string): void;
}

/** Creates the intake of a session. */
export function createIntake(parts: IntakeParts): Intake {
  const expand = async (prompt: Prompt, signal: AbortSignal) =>
    (await expansionOf(parts, prompt, signal))?.prompt ?? prompt;
  return {
    expand,
    async take(prompts, signal) {
      const [first] = prompts;
      const expansion = prompts.length === 1 && first ? await expansionOf(parts, first, signal) : undefined;
      if (!expansion) return { prompts, ...(await askHooks(parts, prompts, signal)) };
      const added = await askExpansionHooks(parts, expansion, signal);
      const expanded = [expansion.prompt];
      if (added.refusal) return { prompts: expanded, ...added };
      const said = await askHooks(parts, expanded, signal);
      return {
        ...said,
        prompts: expanded,
        context: [...added.context, ...said.context],
        messages: [...added.messages, ...said.messages],
        command: expansion.command,
      };
    },
  };
}

/** A command expanded into its text. */
interface Expansion {
  readonly prompt: Prompt;
  readonly typed: string;
  readonly kind: "slash_command" | "mcp_prompt";
  readonly command?: PromptFile;
}

async function expansionOf(
  { prompts, mcp, outputFolder, promptShell }: IntakeParts,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Expansion | undefined> {
  if (!isCommand(prompt)) return undefined;
  const typed = contentText(prompt.content);
  const { name, args } = splitCommand(typed);
  const file = (await prompts()).get(name);
  if (file) {
    const content = await file.expand(args, promptShell, signal);
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
): Promise<Said> {
  const { hooks } = parts;
  if (!hooks.listens("UserPromptExpansion")) return NOTHING_SAID;
  const { name, args } = splitCommand(typed);
  const facts = { expansion_type: kind, command_name: name, command_args: args, prompt: typed };
  const said = await hooks.run("UserPromptExpansion", facts, { signal, tellsLater: true });
  return judge(said, typed, signal);
}

async function askHooks(
  { hooks, rename }: IntakeParts,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<Said> {
  if (!hooks.listens("UserPromptSubmit")) return NOTHING_SAID;
  const prompt = contentText(joined(prompts));
  const facts = { prompt, source: prompts[0]?.synthetic ? "system" : "sdk" };
  const said = await hooks.run("UserPromptSubmit", facts, { signal, tellsLater: true });
  const { sessionTitle } = said.specific;
  const judged = judge(said, prompt, signal);
  if (!judged.refusal && typeof sessionTitle === "string") rename(sessionTitle);
  return judged;
}

const NOTHING_SAID: Said = { context: [], messages: [] };

/** What hooks add to a prompt, or their refusal: a block drops the prompt, a stop keeps it for the next turn. */
function judge({ block, stop, context, messages }: HookResult, prompt: string, signal: AbortSignal): Said {
  // An interrupted hook has not refused anything.
  if (signal.aborted) return NOTHING_SAID;
  if (block) {
    const text = `A hook refused the prompt: ${block.reason}\n\nThe prompt was: ${prompt}`;
    return { context: [], messages, refusal: { text, isKept: false } };
  }
  if (!stop) return { context, messages };
  return { context, messages, refusal: { text: `A hook stopped the turn: ${stop.reason}`, isKept: true } };
}

/** Tells the host that prompts were refused. */
export function refusedPrompt({ text: content }: BlockedPrompts): Notice {
  return { type: "system", subtype: "informational", content, level: "warning", prevent_continuation: true };
}
