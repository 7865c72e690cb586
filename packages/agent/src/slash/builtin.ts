import type { Costs } from "../turn/costs.ts";
import {
  type CommandTurn,
  type LocalCommand,
  LocalCommands,
  tellOutput,
  textCommand,
} from "./local-commands.ts";

/** What the built-in commands need from the session. */
export interface CommandServices {
  /** The text of `/context`. */
  contextReport(): Promise<string>;
  /** Replaces the conversation with a summary; returns the reason if it can't. */
  compact(instructions: string, turn: CommandTurn, signal: AbortSignal): Promise<string | undefined>;
  /** Starts a new conversation under a new id. */
  clear(signal: AbortSignal): Promise<void>;
  /** Switches the model; returns the text to show. */
  setModel(name: string, signal: AbortSignal): Promise<string>;
  readonly model: () => string;
  /** The text of `/sandbox`. */
  sandboxReport(): Promise<string>;
  readonly costs: () => Costs;
}

/** The commands that every session has. */
export function builtinCommands(services: CommandServices): LocalCommands {
  const clear: LocalCommand = {
    name: "clear",
    aliases: ["reset", "new"],
    description: "Clear the conversation and start a new one",
    argumentHint: "",
    async run(turn, _args, signal) {
      await services.clear(signal);
      turn.open();
      return "";
    },
  };
  const compact: LocalCommand = {
    name: "compact",
    aliases: [],
    description: "Replace the conversation with a summary of it",
    argumentHint: "<what the summary should keep>",
    async run(turn, args, signal) {
      const problem = await services.compact(args, turn, signal);
      if (problem !== undefined && signal.aborted) return undefined;
      tellOutput(turn, problem ?? "Compacted");
      return problem ?? "";
    },
  };
  return new LocalCommands([
    clear,
    compact,
    textCommand("context", [], "Show what fills the model's context", () => services.contextReport()),
    textCommand("usage", ["cost"], "Show what the session has cost so far", () =>
      usageReport(services.costs()),
    ),
    textCommand(
      "sandbox",
      [],
      "Show what sandboxed commands may access, and what the sandbox still needs",
      () => services.sandboxReport(),
    ),
    textCommand(
      "model",
      [],
      "Show or switch the model",
      (args, signal) => (args ? services.setModel(args, signal) : `The model is ${services.model()}.`),
      "<name>",
    ),
  ]);
}

function usageReport(costs: Costs): string {
  const total = costs.totalUsd;
  const rows = Object.entries(costs.byModel).map(
    ([model, used]) =>
      `${model}: ${used.inputTokens} input, ${used.outputTokens} output, ${used.cacheReadInputTokens} cache read, ${used.cacheCreationInputTokens} cache write`,
  );
  return [
    `Total cost:            ${total === undefined ? "unknown (no price for this model)" : `$${total.toFixed(4)}`}`,
    `Total duration (API):  ${(costs.apiMs / 1000).toFixed(1)}s`,
    ...(rows.length > 0 ? rows : ["No usage yet."]),
  ].join("\n");
}
