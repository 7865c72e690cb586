import { createHash, randomBytes } from "node:crypto";
import type { Gateway, GatewayCall, GatewayClient } from "@agentwire/models/gateway";
import type { Environment, NamedModel, ProviderSources, Providers } from "@agentwire/models/providers";
import { NO_USAGE } from "@agentwire/protocol/messages";
import type { Log } from "@agentwire/protocol/support";

/** Counts of tokens, as results have them. */
interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
}

/** What tokens of a model cost in US dollars; undefined where no price is known, which is not zero. */
export type CostOf = (model: string, tokens: Tokens) => number | undefined;

/** How an agent that knows only the Messages API gets to a provider's model. */
export interface GatewayRoute {
  /** Where the gateway is. */
  readonly api: URL;
  /** What the agent's environment says otherwise; undefined takes a variable away. */
  readonly env: Environment;
  readonly costOf: CostOf;
}

/** What the gateway of a daemon is made of. */
export interface AgentGatewayOptions {
  /** Whether there may be one. */
  readonly isOn: () => boolean;
  readonly home: string;
  readonly log: Log;
}

/** The gateway for agents of a daemon: it is started when the first of them needs it. */
export class AgentGateway {
  readonly #options: AgentGatewayOptions;
  #gateway: Promise<Gateway> | undefined;
  /** By the digests of their tokens, so that looking one up tells nothing of it. */
  readonly #clients = new Map<string, GatewayClient>();
  /** One for each model: a name of Claude's stands for that model then. */
  readonly #tokens = new Map<string, string>();
  /** Kept while nothing has changed, because connections belong to a provider. */
  #known: { readonly key: string; readonly providers: Providers } | undefined;

  constructor(options: AgentGatewayOptions) {
    this.#options = options;
  }

  /** The way to a model for an agent with these variables; undefined where the agent gets there by itself. */
  async routeTo(model: string, given: Environment): Promise<GatewayRoute | undefined> {
    if (!this.#options.isOn() || !model.includes("/")) return undefined;
    const { userSources, providersOf } = await import("./user-providers.ts");
    const sources = await userSources(given, this.#options.home);
    // An address that was given to the agent is that of another gateway, whose names have slashes too.
    if (sources.env.ANTHROPIC_BASE_URL) return undefined;
    const providers = this.#providers(sources, providersOf);
    const named = namedIn(providers, model);
    if (!named) return undefined;
    this.#gateway ??= this.#start();
    const { url } = await this.#gateway;
    const { costByPrices } = await import("@agentwire/models");
    return {
      api: new URL(url),
      env: variables(model, named, sources.env, providers, url, this.#tokenFor(model, providers)),
      costOf: (name, tokens) => {
        const { prices } = (namedIn(providers, name) ?? named).facts;
        return prices && costByPrices(prices, usageOf(tokens));
      },
    };
  }

  /** Ends it, and the calls that run. */
  async close(): Promise<void> {
    const gateway = await this.#gateway?.catch(() => undefined);
    await gateway?.close();
  }

  #providers(sources: ProviderSources, read: (sources: ProviderSources) => Providers): Providers {
    const key = JSON.stringify(sources);
    if (this.#known?.key !== key) this.#known = { key, providers: read(sources) };
    return this.#known.providers;
  }

  async #start(): Promise<Gateway> {
    try {
      // Most daemons never need one.
      const { startGateway } = await import("@agentwire/models/gateway");
      const gateway = await startGateway({ admit: (token) => this.#clients.get(digest(token)) });
      this.#options.log.info("the gateway for agents listens", { address: gateway.url });
      return gateway;
    } catch (error) {
      this.#gateway = undefined;
      throw error;
    }
  }

  #tokenFor(model: string, providers: Providers): string {
    const token = this.#tokens.get(model) ?? randomBytes(24).toString("base64url");
    this.#tokens.set(model, token);
    const onCall = (call: GatewayCall) => this.#called(call);
    this.#clients.set(digest(token), { providers, names: { model }, onCall });
    return token;
  }

  #called({ error, ...call }: GatewayCall): void {
    const { log } = this.#options;
    if (error === undefined) log.debug("a call through the gateway", { ...call });
    else log.info("a call through the gateway failed", { ...call, reason: error });
  }
}

const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/** A model by its provider's name; the names of Claude's are never meant. */
function namedIn(providers: Providers, name: string): NamedModel | undefined {
  const named = providers.named(name);
  return named && name.startsWith(`${named.provider.name}/`) ? named : undefined;
}

/** By these the official agent knows which models its own names stand for. */
const STAND_INS = ["OPUS", "SONNET", "HAIKU", "FABLE"].map((line) => `ANTHROPIC_DEFAULT_${line}_MODEL`);

/** These would lead it elsewhere, or are keys for Claude. */
const TAKEN_AWAY = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

function variables(
  model: string,
  { facts: { contextWindow, maxOutputTokens } }: NamedModel,
  env: Environment,
  providers: Providers,
  url: string,
  token: string,
): Environment {
  const standIns = STAND_INS.map((key) => [key, namedIn(providers, env[key] ?? "") ? env[key] : model]);
  return {
    ...Object.fromEntries(TAKEN_AWAY.map((key) => [key, undefined])),
    ...Object.fromEntries(standIns),
    // What is known of the model; it would be taken for one of Claude's otherwise.
    ...(contextWindow !== undefined && { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextWindow) }),
    ...(maxOutputTokens !== undefined && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: token,
  };
}

const usageOf = (tokens: Tokens) => ({
  ...NO_USAGE,
  input_tokens: tokens.inputTokens,
  output_tokens: tokens.outputTokens,
  cache_read_input_tokens: tokens.cacheReadInputTokens,
  cache_creation_input_tokens: tokens.cacheCreationInputTokens,
});
