import type { ModelClient } from "@agentwire/models";
import type { NamedModel, Provider, ProviderSources, Providers } from "@agentwire/models/providers";

/** The providers that a session may ask beside the Messages API, loaded when the first name needs one. */
export class KnownProviders {
  readonly #sources: ProviderSources;
  readonly #clients = new Map<Provider, Promise<ModelClient>>();
  #loading: Promise<Providers> | undefined;
  #loaded: Providers | undefined;

  constructor(sources: ProviderSources = { env: {} }) {
    this.#sources = sources;
  }

  /** Whether anything describes a provider: then names without one may be meant for it. */
  get areDescribed(): boolean {
    return this.#sources.table !== undefined || Boolean(this.#sources.env.AGENTWIRE_PROVIDERS);
  }

  /** Whether a name could be that of a provider's model: as much as can be told without loading anything. */
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

  /** The model that a name stands for; undefined if it is one of the Messages API. */
  async find(name: string): Promise<NamedModel | undefined> {
    return this.mayHave(name) ? (await this.load()).named(name) : undefined;
  }

  /** The same without waiting: whoever asks has called the model, or is told that nothing is known of it. */
  known(name: string): NamedModel | undefined {
    return this.#loaded?.named(name);
  }

  /** What is wrong with their descriptions. */
  get faults(): readonly string[] {
    return this.#loaded?.faults ?? [];
  }

  /** Those that the settings describe, or whose variable is set. */
  get available(): readonly Provider[] {
    return this.#loaded?.available ?? [];
  }

  /** The one connection to a provider. */
  clientOf(provider: Provider): Promise<ModelClient> {
    const client =
      this.#clients.get(provider) ??
      import("@agentwire/models/client").then(({ connectProvider }) => connectProvider(provider));
    this.#clients.set(provider, client);
    return client;
  }
}
