import { execFile } from "node:child_process";
import { MISSING_CREDENTIALS, ModelError } from "../model-error.ts";

/** As long as a key is used before the helper is asked again, unless said otherwise. */
const RENEW_AFTER_MS = 5 * 60_000;
const HELPER_LIMIT_MS = 60_000;
const MAX_KEY_BYTES = 64 * 1024;

/** A command that prints a key: asked when a key is needed, and again when that has grown old or was refused. */
export class KeyHelper {
  readonly #command: string;
  readonly #renewAfterMs: number;
  #asked: { readonly key: Promise<string>; readonly at: number } | undefined;

  constructor(command: string, renewAfterMs = RENEW_AFTER_MS) {
    this.#command = command;
    this.#renewAfterMs = renewAfterMs;
  }

  get(): Promise<string> {
    if (!this.#asked || Date.now() - this.#asked.at > this.#renewAfterMs) {
      const key = printedBy(this.#command);
      // A helper that fails is asked again with the next call.
      key.catch(() => this.renew());
      this.#asked = { key, at: Date.now() };
    }
    return this.#asked.key;
  }

  /** Has the helper asked again. */
  renew(): void {
    this.#asked = undefined;
  }
}

function printedBy(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: HELPER_LIMIT_MS, maxBuffer: MAX_KEY_BYTES };
    execFile("/bin/sh", ["-c", command], options, (error, stdout) => {
      const key = stdout.trim();
      if (!error && key !== "") return resolve(key);
      // Its output may hold half a key, so only the exit code is told.
      const why = error ? `it ended with ${error.code ?? error.signal}` : "it printed nothing";
      reject(new ModelError(null, MISSING_CREDENTIALS, `the apiKeyHelper gave no key: ${why}`));
    });
  });
}
