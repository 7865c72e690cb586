import type { ModelClient } from "@agentwire/models";
import type { NamedModel, Provider, ProviderSources, Providers } from "@agentwire/models/providers";

/** The providers that a session may use besides the Messages API, loaded when a model name first requires it. */
export class KnownProviders {
  readonly #sources: ProviderSources;
  readonly #clients = new Map<Provider, Promise<ModelClient>>();
  #loading: Promise<Providers> | undefined;
  #loaded: Providers | undefined;

  constructor(sources: ProviderSources = { env: {} }) {
    this.#sources = sources;
  }

  /** Whether any provider is described, so that names without a provider may refer to it. */
  get areDescribed(): boolean {
    return this.#sources.table !== undefined || Boolean(this.#sources.env.AGENTWIRE_PROVIDERS);
  }

  /** Whether a name could be that of a provider's model, as far as can be told without loading anything. */
  mayHave(name: string): boolean {
    return this.areDescribed || name.includes("/");
  }

  load(): Promise<Providers> {
    this.#loading ??= import("@agentwire/models/providers").then(({ Providers }) => {
      this.#loaded = new Providers(this.#sources);
      return this.#loaded;
    });
    return this.#loading;
  }

  /** The model that a name refers to; undefined if it belongs to the Messages API. */
  async find(name: string): Promise<NamedModel | undefined> {
    return this.mayHave(name) ? (await this.load()).named(name) : undefined;
  }

  /** Like `find`, but without waiting: undefined until the providers have been loaded, as a call to one of their models does. */
  known(name: string): NamedModel | undefined {
    return this.#loaded?.named(name);
  }

  /** The problems in their descriptions. */
  get faults(): readonly string[] {
    return this.#loaded?.faults ?? [];
  }

  /** The providers that the settings describe, or whose variable is set. */
  get available(): readonly Provider[] {
    return this.#loaded?.available ?? [];
  }

  /** The connection to a provider; there is one per provider. */
  clientOf(provider: Provider): Promise<ModelClient> {
    const client =
      this.#clients.get(provider) ??
      import("@agentwire/models/client").then(({ connectProvider }) => connectProvider(provider));
    this.#clients.set(provider, client);
    return client;
  }
}
