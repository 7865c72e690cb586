import type { Notice } from "../host/outlet.ts";
import { syntheticReply } from "../turn/synthetic-reply.ts";

/** The turn in which a command runs. */
export interface CommandTurn {
  /** Tells the host that it begins. */
  open(): void;
  tell(notice: Notice): void;
}

/** A slash command that the agent answers by itself. */
export interface LocalCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argumentHint: string;
  /** Does it, opening the turn and telling the host on the way; returns the text of the result, undefined if an interrupt cut it off. */
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

  /** The command that a prompt asks for; undefined if it is none of ours, and then it goes to the model. */
  find(prompt: string): ReadyCommand | undefined {
    const { name, args } = splitCommand(prompt);
    const command = this.#commands.find((known) => known.name === name || known.aliases.includes(name));
    if (!command) return undefined;
    // By the name it was asked for with, which may be an alias.
    return { name, run: (turn, signal) => command.run(turn, args, signal) };
  }
}

/** Parts `/name the rest` into its name and its arguments. */
export function splitCommand(prompt: string): { readonly name: string; readonly args: string } {
  const [, name = "", args = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(prompt) ?? [];
  return { name, args: args.trimEnd() };
}

/** A command whose answer is a text: the turn opens, the text is said as if by the assistant, and is the result. */
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

/** What a command prints is echoed to the host like a prompt. */
export function tellOutput({ tell }: Pick<CommandTurn, "tell">, text: string): void {
  tell({
    type: "user",
    message: { role: "user", content: `<local-command-stdout>${text}</local-command-stdout>` },
    parent_tool_use_id: null,
    isReplay: true,
  });
}
