import { execFile } from "node:child_process";
import { MISSING_CREDENTIALS, ModelError } from "../model-error.ts";
import type { Provider } from "./provider.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** As long as a key of a helper is used before the helper is asked again. */
const RENEW_AFTER_MS = 5 * 60_000;
const HELPER_LIMIT_MS = 60_000;
const MAX_KEY_BYTES = 64 * 1024;

/** The key of a provider: as it is given, or as a command prints it. */
export class ProviderKey {
  readonly #provider: Provider;
  #asked: { readonly key: Promise<string>; readonly at: number } | undefined;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** Whether another key may be had than the last one. */
  get isRenewable(): boolean {
    return this.#provider.apiKeyHelper !== undefined;
  }

  /** The key; undefined for a provider that wants none. */
  async #get(): Promise<string | undefined> {
    const { apiKey, apiKeyHelper, name } = this.#provider;
    if (apiKeyHelper === undefined) {
      const known = WELL_KNOWN.get(name);
      if (apiKey === undefined && known && !known.isLocal && !identifies(this.#provider.headers))
        throw new ModelError(
          null,
          MISSING_CREDENTIALS,
          `${name} needs a key: set ${known.keys[0]}, or providers.${name}.apiKey in the settings`,
        );
      return apiKey;
    }
    if (!this.#asked || Date.now() - this.#asked.at > RENEW_AFTER_MS) {
      const key = printedBy(apiKeyHelper, name);
      // A helper that fails is asked again with the next call.
      key.catch(() => this.renew());
      this.#asked = { key, at: Date.now() };
    }
    return this.#asked.key;
  }

  /** The headers that say who calls. */
  async headers(): Promise<readonly (readonly [string, string])[]> {
    const key = await this.#get();
    if (key === undefined) return [];
    return [this.#provider.quirks.auth === "bearer" ? ["authorization", `Bearer ${key}`] : ["api-key", key]];
  }

  /** Has the helper asked again. */
  renew(): void {
    this.#asked = undefined;
  }
}

const identifies = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).some((name) => /^(authorization|api-key|x-api-key)$/i.test(name));

function printedBy(command: string, provider: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: HELPER_LIMIT_MS, maxBuffer: MAX_KEY_BYTES };
    execFile("/bin/sh", ["-c", command], options, (error, stdout) => {
      const key = stdout.trim();
      if (!error && key !== "") return resolve(key);
      const why = error ? error.message.split("\n")[0] : "it printed nothing";
      reject(
        new ModelError(null, MISSING_CREDENTIALS, `the apiKeyHelper of ${provider} gave no key: ${why}`, {
          cause: error ?? undefined,
        }),
      );
    });
  });
}
