import type { HostOptions } from "../context/host-options.ts";
import type { Outlet } from "../host/outlet.ts";
import type { Settings } from "../settings/settings.ts";
import type { NextCall, Services } from "../turn/conversation.ts";
import type { History } from "../turn/history.ts";
import { askBeside, firstLine } from "../turn/side-query.ts";

const REQUEST =
  "Guess what the user will say next in this conversation and write it as the user would: one line of at most twelve words, without quotes. Call no tools. If nothing suggests itself, write nothing at all.";
const MAX_TOKENS = 100;
const MAX_CHARS = 200;
const PATIENCE_MS = 30_000;

/** What suggestions depend on. */
export interface SuggestionParts {
  readonly services: Pick<Services, "config" | "gate" | "model" | "costs">;
  readonly settings: Settings;
  readonly hostOptions: HostOptions;
  readonly outlet: Outlet;
  readonly history: History;
  nextCall(): NextCall;
}

/** Predicts after a turn what the user will say next, if the host wants that. It never delays anything. */
export class PromptSuggestions {
  readonly #parts: SuggestionParts;
  #turns = 0;
  #guessing: AbortController | undefined;

  constructor(parts: SuggestionParts) {
    this.#parts = parts;
  }

  /** Starts a guess, except after the first turn, which gives too little context, or after a failed one. */
  begin(hasFailed: boolean): void {
    this.#turns++;
    if (this.#turns < 2 || hasFailed || !this.#isWanted()) return;
    this.#guessing = new AbortController();
    void this.#guess(AbortSignal.any([this.#guessing.signal, AbortSignal.timeout(PATIENCE_MS)]));
  }

  /** Cancels the guess: the user has sent a prompt, or the session ends. */
  stop(): void {
    this.#guessing?.abort();
    this.#guessing = undefined;
  }

  #isWanted(): boolean {
    const { settings, hostOptions, services } = this.#parts;
    if (!hostOptions.promptSuggestions || services.gate.mode === "plan") return false;
    return services.config.guessesPrompts ?? settings.effective.promptSuggestionEnabled !== false;
  }

  async #guess(signal: AbortSignal): Promise<void> {
    const { services, outlet, history, nextCall } = this.#parts;
    const { messages } = history;
    const aside = { call: nextCall(), messages, question: REQUEST, maxTokens: MAX_TOKENS };
    try {
      const suggestion = firstLine(await askBeside(services, aside, signal));
      if (signal.aborted || suggestion === "" || suggestion.length > MAX_CHARS) return;
      outlet.tell({ type: "prompt_suggestion", suggestion });
    } catch {
      // A failed guess is not reported.
    }
  }
}
