import type { Notice } from "../host/outlet.ts";
import { syntheticReply } from "../turn/synthetic-reply.ts";

/** The turn in which a command runs. */
export interface CommandTurn {
  /** Tells the host that the turn starts. */
  open(): void;
  tell(notice: Notice): void;
}

/** A slash command that the agent answers by itself. */
export interface LocalCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argumentHint: string;
  /**
   * Runs the command, opening the turn and notifying the host as needed; returns the text of the result, or undefined if
   * interrupted.
   */
  run(turn: CommandTurn, args: string, signal: AbortSignal): Promise<string | undefined>;
}

/** A command line that starts with a slash, ready to run. */
export interface ReadyCommand {
  readonly name: string;
  run(turn: CommandTurn, signal: AbortSignal): Promise<string | undefined>;
}

/** The slash commands of a session, by name and alias. */
export class LocalCommands {
  readonly #commands: readonly LocalCommand[];

  constructor(commands: readonly LocalCommand[]) {
    this.#commands = commands;
  }

  get list(): readonly LocalCommand[] {
    return this.#commands;
  }

  /** The command that a prompt asks for; undefined if it is not a local command, in which case the prompt goes to the model. */
  find(prompt: string): ReadyCommand | undefined {
    const { name, args } = splitCommand(prompt);
    const command = this.#commands.find((known) => known.name === name || known.aliases.includes(name));
    if (!command) return undefined;
    // Under the name that was typed, which may be an alias.
    return { name, run: (turn, signal) => command.run(turn, args, signal) };
  }
}

/** Splits `/name the rest` into its name and its arguments. */
export function splitCommand(prompt: string): { readonly name: string; readonly args: string } {
  const [, name = "", args = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(prompt) ?? [];
  return { name, args: args.trimEnd() };
}

/** A command that answers with text: it opens the turn, sends the text as an assistant message, and returns it as the result. */
export function textCommand(
  name: string,
  aliases: readonly string[],
  description: string,
  answer: (args: string, signal: AbortSignal) => string | Promise<string>,
  argumentHint = "",
): LocalCommand {
  return {
    name,
    aliases,
    description,
    argumentHint,
    async run(turn, args, signal) {
      const text = await answer(args, signal);
      turn.open();
      turn.tell({
        type: "assistant",
        message: syntheticReply(text, { stop_reason: "end_turn", stop_sequence: null }),
        parent_tool_use_id: null,
        timestamp: new Date().toISOString(),
      });
      return text;
    },
  };
}

/** Echoes a command's output to the host like a prompt. */
export function tellOutput({ tell }: Pick<CommandTurn, "tell">, text: string): void {
  tell({
    type: "user",
    message: { role: "user", content: `<local-command-stdout>${text}</local-command-stdout>` },
    parent_tool_use_id: null,
    isReplay: true,
  });
}
