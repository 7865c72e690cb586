import { execFile } from "node:child_process";
import { MISSING_CREDENTIALS, ModelError } from "../model-error.ts";

/** How long a key is used by default before the helper runs again. */
const RENEW_AFTER_MS = 5 * 60_000;
const HELPER_LIMIT_MS = 60_000;
const MAX_KEY_BYTES = 64 * 1024;

/** Runs a command that prints a key, and runs it again when the key has expired or was rejected. */
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
      // After a failure, the next call runs the helper again.
      key.catch(() => this.renew());
      this.#asked = { key, at: Date.now() };
    }
    return this.#asked.key;
  }

  /** Discards the key, so that the helper runs again. */
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
      // Its output may contain part of a key, so only the exit code is reported.
      const why = error ? `it exited with ${error.code ?? error.signal}` : "it printed nothing";
      reject(new ModelError(null, MISSING_CREDENTIALS, `the apiKeyHelper returned no key: ${why}`));
    });
  });
}
