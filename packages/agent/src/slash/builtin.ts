import { randomUUID } from "node:crypto";
import type { Session } from "../session.ts";
import { type LocalCommand, LocalCommands, textCommand } from "./local-commands.ts";

/** What the built-in commands reach for beyond the session itself. */
export interface CommandServices {
  /** The text of `/context`. */
  contextReport(): Promise<string>;
  /** Summarises the conversation and begins anew from the summary; throws if that fails. */
  compact(session: Session, instructions: string, signal: AbortSignal): Promise<void>;
  /** Begins a conversation of its own under a new id. */
  clear(session: Session): Promise<void>;
  /** Switches the model; returns what to say about it. */
  setModel(name: string): Promise<string>;
  readonly model: () => string;
}

/** The commands that every session has. */
export function builtinCommands(services: CommandServices): LocalCommands {
  const clear: LocalCommand = {
    name: "clear",
    aliases: ["reset", "new"],
    description: "Forget the conversation and begin a new one",
    argumentHint: "",
    async run(session) {
      await services.clear(session);
      session.tell(session.parts.init());
      return "";
    },
  };
  const compact: LocalCommand = {
    name: "compact",
    aliases: [],
    description: "Replace the conversation by a summary of it",
    argumentHint: "<what the summary should keep>",
    async run(session, args, signal) {
      await services.compact(session, args, signal);
      return "";
    },
  };
  return new LocalCommands([
    clear,
    compact,
    textCommand("context", [], "Show what fills the model's context", () => services.contextReport()),
    textCommand("usage", ["cost"], "Show what the session has cost so far", usageReport),
    textCommand("model", [], "Show or switch the model", (_session, args) =>
      args ? services.setModel(args) : `The model is ${services.model()}.`,
    ),
  ]);
}

function usageReport(session: Session): string {
  const { costs } = session.parts.services;
  const total = costs.totalUsd;
  const rows = Object.entries(costs.byModel).map(
    ([model, used]) =>
      `${model}: ${used.inputTokens} input, ${used.outputTokens} output, ${used.cacheReadInputTokens} cache read, ${used.cacheCreationInputTokens} cache write`,
  );
  return [
    `Total cost:            ${total === undefined ? "unknown (no price for this model)" : `$${total.toFixed(4)}`}`,
    `Total duration (API):  ${(costs.apiMs / 1000).toFixed(1)}s`,
    ...(rows.length > 0 ? rows : ["Nothing has been used yet."]),
  ].join("\n");
}

/** What a command prints is echoed to the host like a prompt. */
export function tellOutput(session: Session, text: string): void {
  session.tell({
    type: "user",
    message: { role: "user", content: `<local-command-stdout>${text}</local-command-stdout>` },
    parent_tool_use_id: null,
    uuid: randomUUID(),
    isReplay: true,
  });
}
