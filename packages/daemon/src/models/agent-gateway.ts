import { createHash, randomBytes } from "node:crypto";
import type { Gateway, GatewayCall, GatewayClient } from "@agentwire/models/gateway";
import type { Environment, NamedModel, ProviderSources, Providers } from "@agentwire/models/providers";
import { NO_USAGE } from "@agentwire/protocol/messages";
import type { Log } from "@agentwire/protocol/support";

/** Token counts, as in results. */
interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
}

/** The cost of a model's tokens in US dollars; undefined (not zero) if its price is unknown. */
export type CostOf = (model: string, tokens: Tokens) => number | undefined;

/** How an agent that only supports the Messages API reaches a provider's model. */
export interface GatewayRoute {
  /** The address of the gateway. */
  readonly api: URL;
  /** Changes to the agent's environment; undefined removes a variable. */
  readonly env: Environment;
  readonly costOf: CostOf;
}

/** The dependencies of a daemon's gateway. */
export interface AgentGatewayOptions {
  /** Whether the settings enable it. */
  readonly isOn: () => boolean;
  readonly home: string;
  readonly log: Log;
}

/** The gateway for a daemon's agents, started on first use. */
export class AgentGateway {
  readonly #options: AgentGatewayOptions;
  #gateway: Promise<Gateway> | undefined;
  /** By the digests of their tokens, so that the time of a lookup reveals nothing about a token. */
  readonly #clients = new Map<string, GatewayClient>();
  /** One token for each model, to which Claude's model names are then mapped. */
  readonly #tokens = new Map<string, string>();
  /** Cached until the sources change, because each provider holds connections. */
  #known: { readonly key: string; readonly providers: Providers } | undefined;

  constructor(options: AgentGatewayOptions) {
    this.#options = options;
  }

  /** The route to a model for an agent with these variables; undefined if the agent needs no gateway. */
  async routeTo(model: string, given: Environment): Promise<GatewayRoute | undefined> {
    if (!this.#options.isOn() || !model.includes("/")) return undefined;
    const { userSources, providersOf } = await import("./user-providers.ts");
    const sources = await userSources(given, this.#options.home);
    // A base URL given to the agent is that of another gateway, whose model names may contain slashes too.
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

  /** Closes the gateway, ending running calls. */
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
      // Loaded lazily, since most daemons never need a gateway.
      const { startGateway } = await import("@agentwire/models/gateway");
      const gateway = await startGateway({ admit: (token) => this.#clients.get(digest(token)) });
      this.#options.log.info("the gateway for agents is listening", { address: gateway.url });
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
    if (error === undefined) log.debug("a call through the gateway succeeded", { ...call });
    else log.info("a call through the gateway failed", { ...call, reason: error });
  }
}

const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/** A model in the form `provider/model`; Claude's own model names never match. */
function namedIn(providers: Providers, name: string): NamedModel | undefined {
  const named = providers.named(name);
  return named && name.startsWith(`${named.provider.name}/`) ? named : undefined;
}

/** The variables that tell the official agent which models its own names stand for. */
const STAND_INS = ["OPUS", "SONNET", "HAIKU", "FABLE"].map((line) => `ANTHROPIC_DEFAULT_${line}_MODEL`);

/** Variables to remove: they would direct the agent elsewhere, or are keys for Claude. */
const REMOVED = [
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
    ...Object.fromEntries(REMOVED.map((key) => [key, undefined])),
    ...Object.fromEntries(standIns),
    // Without these, the agent would assume the limits of a Claude model.
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
