import { type Model, ModelError, type Thinking } from "./model/model.ts";
import { modelInfo } from "./model/pricing.ts";

/** The model that is used when nobody names one. */
export const DEFAULT_MODEL = "claude-opus-5-5";

/** Which model a session talks to, and how much it may think. */
export class ModelState {
  readonly #model: Model;
  readonly #default: string;
  #current: string;
  thinking: Thinking | undefined;

  constructor(model: Model, name: string | undefined, thinking: Thinking | undefined) {
    this.#model = model;
    this.#default = resolveModel(name ?? DEFAULT_MODEL);
    this.#current = this.#default;
    this.thinking = thinking;
  }

  get current(): string {
    return this.#current;
  }

  get maxTokens(): number {
    return Math.min(modelInfo(this.#current)?.maxOutputTokens ?? 32_000, 32_000);
  }

  get contextWindow(): number {
    return modelInfo(this.#current)?.contextWindow ?? 200_000;
  }

  /** Switches the model after asking the provider whether it has it; the error code and text if it has not. */
  async set(
    name: string | null | undefined,
  ): Promise<{ readonly code: string; readonly message: string } | undefined> {
    const wanted =
      name === null || name === undefined || name === "default" ? this.#default : resolveModel(name);
    const problem = await this.#probe(wanted);
    if (!problem) this.#current = wanted;
    return problem;
  }

  async #probe(name: string): Promise<{ readonly code: string; readonly message: string } | undefined> {
    try {
      const call = {
        model: name,
        system: [],
        messages: [{ role: "user" as const, content: "hi" }],
        tools: [],
        maxTokens: 1,
      };
      const reply = await this.#model.call(call, AbortSignal.timeout(PROBE_MS));
      for await (const _ of reply.events);
    } catch (error) {
      // Only a clear no counts: a provider that can't be asked right now may well have the model.
      if (error instanceof ModelError && error.status === 404)
        return { code: "not_found", message: `Model ${name} was not found: ${error.message}` };
    }
    return undefined;
  }
}

const PROBE_MS = 10_000;

/** The full name of a model that was named by its family. */
export function resolveModel(name: string): string {
  return modelInfo(name)?.canonical ?? name;
}
