/** The API of a provider: OpenAI's Chat Completions or Responses, or Anthropic's Messages. */
export type Wire = "chat" | "responses" | "messages";

/**
 * How much of JSON Schema a provider supports in tool schemas: everything except references, or only the plain subset without unions that
 * grammars and Gemini accept.
 */
export type SchemaDialect = "full" | "plain";

/** The tool call ids that a provider accepts: any string, or nine letters and digits as for Mistral. */
export type ToolIds = "any" | "nine";

/** Prices in US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Defaults to the input price. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** The known facts about a model; omitted ones are unknown. */
export interface ModelFacts {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: Prices | undefined;
  /** Whether it accepts images, and PDF documents. If omitted, they are sent, and the provider may reject them. */
  readonly images?: boolean | undefined;
  readonly documents?: boolean | undefined;
  /** How it calls tools: natively, or in the way described in the prompt. */
  readonly tools?: "native" | "prompted" | undefined;
}

/** Differences between providers of the same wire. */
export interface Quirks {
  /** The name of the parameter that limits a reply. */
  readonly maxTokens: "max_tokens" | "max_completion_tokens";
  readonly schemas: SchemaDialect;
  readonly toolIds: ToolIds;
  /** How a key is sent. */
  readonly auth: "bearer" | "api-key";
  /** Whether usage must be requested; some providers reject the parameter and send usage anyway. */
  readonly asksForUsage: boolean;
  /** Whether messages may contain cache control marks. */
  readonly cacheMarks: boolean;
  /** Whether tool calls need thought signatures. */
  readonly thoughtSignatures: boolean;
  /** How the reasoning effort is sent: as a plain parameter, or in an object as for OpenRouter. */
  readonly effort: "reasoning_effort" | "reasoning";
}

/** A server of models and how to call it. */
export interface Provider {
  readonly name: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** A command that prints the key. */
  readonly apiKeyHelper?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy for requests. */
  readonly proxy?: URL | undefined;
  readonly quirks: Quirks;
  /** The known facts about its models, by name; `*` applies to all models without their own entry for a fact. */
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** The provider for names without a prefix: the Messages API unless the settings say otherwise. */
export const DEFAULT_PROVIDER = "anthropic";

/** The behavior of most servers. */
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

/** Drops undefined facts. */
export const definedIn = <F extends object>(facts: F | undefined): Partial<F> =>
  Object.fromEntries(Object.entries(facts ?? {}).filter(([, value]) => value !== undefined)) as Partial<F>;

/** The known facts about one of a provider's models: its own, then those for all models. */
export function factsOf({ models }: Pick<Provider, "models">, model: string): ModelFacts {
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  return { ...models["*"], ...definedIn(own) };
}
