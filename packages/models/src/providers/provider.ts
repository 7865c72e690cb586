/** What a provider speaks: OpenAI's Chat Completions or Responses, or Anthropic's Messages. */
export type Wire = "chat" | "responses" | "messages";

/**
 * How much of JSON Schema a provider understands in the schema of a tool: all but references, or only the plain part that
 * grammars and Gemini take, without unions.
 */
export type SchemaDialect = "full" | "plain";

/** How a provider wants the ids of tool calls: any text, or nine letters and digits as Mistral does. */
export type ToolIds = "any" | "nine";

/** Prices in US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** As for other input unless given. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** What is known of a model; what is not given is not known. */
export interface ModelFacts {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: Prices | undefined;
  /** Whether it takes pictures, and PDF documents; yes unless given, and the provider refuses them if not. */
  readonly images?: boolean | undefined;
  readonly documents?: boolean | undefined;
  /** How it calls tools: by its wire, or as it is told to in the prompt. */
  readonly tools?: "native" | "prompted" | undefined;
}

/** Where providers differ in the same wire. */
export interface Quirks {
  /** What the limit of a reply is called. */
  readonly maxTokens: "max_tokens" | "max_completion_tokens";
  readonly schemas: SchemaDialect;
  readonly toolIds: ToolIds;
  /** How a key is sent. */
  readonly auth: "bearer" | "api-key";
  /** Whether usage has to be asked for; some refuse the question and tell it anyway. */
  readonly asksForUsage: boolean;
  /** Whether marks for a cache go with the messages. */
  readonly cacheMarks: boolean;
  /** Whether calls of tools need the signature of the thought behind them. */
  readonly thoughtSignatures: boolean;
  /** How deep the model is to think: by a name, or in an object as OpenRouter has it. */
  readonly effort: "reasoning_effort" | "reasoning";
}

/** Where a model's replies come from. */
export interface Provider {
  readonly name: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** A command that prints the key. */
  readonly apiKeyHelper?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What requests go through. */
  readonly proxy?: URL | undefined;
  readonly quirks: Quirks;
  /** What is known of its models, by their names; `*` holds for all, unless a model has its own. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The provider of names without one: the Messages API, unless the settings say otherwise. */
export const DEFAULT_PROVIDER = "anthropic";

/** What most servers do. */
export const USUAL_QUIRKS: Quirks = {
  maxTokens: "max_tokens",
  schemas: "full",
  toolIds: "any",
  auth: "bearer",
  asksForUsage: true,
  cacheMarks: false,
  thoughtSignatures: false,
  effort: "reasoning_effort",
};

/** The facts that are known. */
export const definedIn = <F extends object>(facts: F | undefined): Partial<F> =>
  Object.fromEntries(Object.entries(facts ?? {}).filter(([, value]) => value !== undefined)) as Partial<F>;

/** What is known of one of a provider's models: of itself, and otherwise of all. */
export function factsOf({ models }: Pick<Provider, "models">, model: string): ModelFacts {
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  return { ...models["*"], ...definedIn(own) };
}
