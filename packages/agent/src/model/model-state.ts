import { MISSING_CREDENTIALS, ModelError } from "@agentwire/models";
import { ModelCatalog } from "./catalog.ts";
import { shouldCompact } from "./context-window.ts";
import type { Model, ModelMessage, Thinking } from "./model.ts";
import { type ModelNames, namedModel } from "./model-names.ts";
import { USUAL_REPLY_TOKENS } from "./pricing.ts";
import { type ModelRoles, showsSomething } from "./roles.ts";

/** A session's preferences for its model. */
export interface ModelPreferences {
  readonly name: string | undefined;
  /** The models that short names refer to. */
  readonly names: ModelNames;
  /** The models that replace it for certain purposes. */
  readonly roles?: ModelRoles;
  /** What is known about models. */
  readonly catalog?: ModelCatalog;
  /** Models that replace an overloaded one, in order. */
  readonly fallbacks: readonly string[];
  readonly thinking: Thinking | undefined;
  /** The token limit of a reply; the model's default if undefined. */
  readonly maxReplyTokens: number | undefined;
  readonly effort: string | undefined;
}

/** Why a model can't be chosen. */
export interface ModelRejection {
  readonly code: string;
  readonly message: string;
}

/** The model that a session uses, and how much it may think. */
export class ModelState {
  readonly #model: Model;
  readonly #preferences: ModelPreferences;
  /** What is known about models. */
  readonly catalog: ModelCatalog;
  #names: ModelNames;
  #default: string;
  #current: string;
  /** Models that are overloaded for the rest of the turn, and their replacements. */
  readonly #fallbacks = new Map<string, string>();
  /** Settles when no switch is in progress. */
  #switched: Promise<unknown> = Promise.resolve();
  thinking: Thinking | undefined;
  #effort: string | undefined;

  constructor(model: Model, preferences: ModelPreferences) {
    this.#model = model;
    this.#preferences = preferences;
    this.catalog = preferences.catalog ?? new ModelCatalog();
    this.#names = preferences.names;
    this.#default = this.named(preferences.name ?? "default");
    this.#current = this.#default;
    this.thinking = preferences.thinking;
    this.#effort = preferences.effort;
  }

  /** Claude has become available: its names refer to its own models again. */
  reachClaude(): void {
    this.#names = { ...this.#names, standing: undefined };
    const before = this.#default;
    this.#default = this.named(this.#preferences.name ?? "default");
    if (this.#current === before) this.#current = this.#default;
  }

  get current(): string {
    return this.#current;
  }

  /** The maximum size of a conversation, taking the model for long ones into account if there is one. */
  get contextWindow(): number {
    const { longContext } = this.#roles;
    const own = this.#windowOf(this.#current);
    return longContext === undefined ? own : Math.max(own, this.#windowOf(this.named(longContext)));
  }

  #windowOf(name: string): number {
    return this.catalog.infoOf(name)?.contextWindow ?? USUAL_CONTEXT_WINDOW;
  }

  get #roles(): ModelRoles {
    return this.#preferences.roles ?? {};
  }

  /** The model for the next call of a conversation: the session's own, unless a role assigns another. */
  chosenFor(messages: readonly ModelMessage[], contextTokens: number): string {
    const { images, longContext, thinking } = this.#roles;
    const thinks = this.thinking !== undefined && this.thinking.type !== "disabled";
    const isLong = () => shouldCompact(contextTokens, this.#windowOf(this.#current));
    const other =
      (images !== undefined && showsSomething(messages) && images) ||
      (longContext !== undefined && isLong() && longContext) ||
      (thinks && thinking);
    return other ? this.named(other) : this.#current;
  }

  /** The token limit of a reply, which must exceed the thinking budget. Undefined for a model whose limit is not known. */
  get maxTokens(): number | undefined {
    const info = this.catalog.infoOf(this.#current);
    const { maxReplyTokens } = this.#preferences;
    if (info && info.maxOutputTokens === undefined) return maxReplyTokens;
    const usual = maxReplyTokens ?? info?.replyTokens ?? USUAL_REPLY_TOKENS;
    const thought = this.thinking?.type === "enabled" ? this.thinking.budget_tokens : 0;
    return Math.min(info?.maxOutputTokens ?? usual, Math.max(usual, thought + MIN_SPOKEN_TOKENS));
  }

  /** Makes a model the session's own, unless the user has named another. */
  suggest(name: string): void {
    if (this.#preferences.name !== undefined || this.#current !== this.#default) return;
    this.#default = this.named(name);
    this.#current = this.#default;
  }

  /** Makes turns that start from now on wait for a switch of the model. */
  duringSwitch(work: Promise<unknown>): void {
    this.#switched = Promise.allSettled([this.#switched, work]);
  }

  /** Resolves when no switch is in progress. */
  async settled(): Promise<void> {
    await this.#switched;
  }

  /** Switches the model without checking that it exists; without a name, back to the session's own. */
  adopt(name: string | undefined): void {
    this.#current = this.meantBy(name);
  }

  /** The model that a name refers to; without a name, the session's own. */
  meantBy(name: string | null | undefined): string {
    return name === null || name === undefined || name === "default" ? this.#default : this.named(name);
  }

  /** The model that a name refers to in this environment. */
  named(name: string): string {
    return namedModel(this.#names, name);
  }

  /** The model for small tasks. */
  get small(): string {
    return this.named(this.#names.small);
  }

  /** The model of a subagent whose definition names none; undefined for the model of its caller. */
  get ofSubagents(): string | undefined {
    return this.#names.subagent;
  }

  /** Changes the effort; without a level, restores the initial one. */
  setEffort(level: string | undefined): void {
    this.#effort = level ?? this.#preferences.effort;
  }

  get effort(): string | undefined {
    return this.#effort;
  }

  /** Restores the initial thinking setting. */
  restoreThinking(): void {
    this.thinking = this.#preferences.thinking;
  }

  /** The model that replaces another during this turn; usually that model itself. */
  standInFor(name: string): string {
    return this.#fallbacks.get(name) ?? name;
  }

  /**
   * Replaces a model for the rest of the turn, by one with a larger context window if `isTooSmall`; undefined if there is none.
   */
  fallBack(name: string, isTooSmall = false): string | undefined {
    const tired = new Set([...this.#fallbacks.keys(), name]);
    const other = this.#preferences.fallbacks
      .map((name) => this.named(name))
      .filter((candidate) => !isTooSmall || this.#windowOf(candidate) > this.#windowOf(name))
      .find((candidate) => !tired.has(candidate));
    if (other === undefined) return undefined;
    for (const replaced of tired) this.#fallbacks.set(replaced, other);
    return other;
  }

  /** Makes another model replace the session's own for the rest of the turn. */
  standIn(name: string): void {
    this.#fallbacks.set(this.#current, this.named(name));
  }

  /** A new turn tries every model again. */
  beginTurn(): void {
    this.#fallbacks.clear();
  }

  /** Switches the model after asking the provider whether it has it; returns the reason if not. */
  async set(name: string | null | undefined): Promise<ModelRejection | undefined> {
    const wanted = this.meantBy(name);
    const problem = await this.#probe(wanted);
    if (!problem) this.#current = wanted;
    return problem;
  }

  async #probe(name: string): Promise<ModelRejection | undefined> {
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
      // Only a definite no counts: a provider that can't be asked right now may well have the model.
      if (!(error instanceof ModelError)) return undefined;
      if (error.status === 404)
        return { code: "not_found", message: `Model ${name} was not found: ${error.message}` };
      if (error.type === MISSING_CREDENTIALS && name.includes("/"))
        return { code: "not_found", message: `Model ${name} can't be asked: ${error.message}` };
    }
    return undefined;
  }
}

/** The context window assumed for an unknown model. */
const USUAL_CONTEXT_WINDOW = 200_000;
const PROBE_MS = 10_000;
const MIN_SPOKEN_TOKENS = 4_000;
