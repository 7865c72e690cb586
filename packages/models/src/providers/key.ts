import { MISSING_CREDENTIALS, ModelError } from "../model-error.ts";
import { KeyHelper } from "./key-helper.ts";
import type { Provider } from "./provider.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** The key of a provider, either given directly or printed by a command. */
export class ProviderKey {
  readonly #provider: Provider;
  readonly #helper: KeyHelper | undefined;

  constructor(provider: Provider) {
    this.#provider = provider;
    this.#helper = provider.apiKeyHelper === undefined ? undefined : new KeyHelper(provider.apiKeyHelper);
  }

  /** Whether a new key can be obtained. */
  get isRenewable(): boolean {
    return this.#helper !== undefined;
  }

  /** The key; undefined for a provider that needs none. */
  async #get(): Promise<string | undefined> {
    if (this.#helper) return this.#helper.get();
    const { apiKey, name, headers } = this.#provider;
    const known = WELL_KNOWN.get(name);
    if (apiKey === undefined && known && !known.isLocal && !identifies(headers))
      throw new ModelError(
        null,
        MISSING_CREDENTIALS,
        `${name} needs a key: set ${known.keys[0]}, or providers.${name}.apiKey in the settings`,
      );
    return apiKey;
  }

  /** The authentication headers. */
  async headers(): Promise<readonly (readonly [string, string])[]> {
    const key = await this.#get();
    if (key === undefined) return [];
    return [this.#provider.quirks.auth === "bearer" ? ["authorization", `Bearer ${key}`] : ["api-key", key]];
  }

  /** Discards the key, so that the helper runs again. */
  renew(): void {
    this.#helper?.renew();
  }
}

const identifies = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).some((name) => /^(authorization|api-key|x-api-key)$/i.test(name));
