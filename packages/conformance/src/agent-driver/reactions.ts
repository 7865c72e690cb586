import type { JsonObject } from "@agentwire/protocol";
import { fits, type Pattern } from "./pattern.ts";

/** Counts how often a reaction has run. */
export interface Reaction {
  readonly count: number;
}

interface Standing {
  readonly pattern: Pattern;
  readonly react: (line: JsonObject) => unknown;
  count: number;
}

/** What to do about every line that matches a pattern, until the scenario ends. */
export class Reactions {
  readonly #standing: Standing[] = [];
  readonly #onFailure: (reason: unknown) => void;

  constructor(onFailure: (reason: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(pattern: Pattern, react: (line: JsonObject) => unknown): Reaction {
    const standing = { pattern, react, count: 0 };
    this.#standing.push(standing);
    return standing;
  }

  /** Does not wait for the reactions to finish. */
  run(line: JsonObject): void {
    for (const standing of this.#standing) {
      if (!fits(standing.pattern, line)) continue;
      standing.count++;
      Promise.resolve(line).then(standing.react).catch(this.#onFailure);
    }
  }
}
