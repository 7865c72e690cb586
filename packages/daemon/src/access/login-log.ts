import type { Audit } from "../store/audit-log.ts";
import type { Store } from "../store/store.ts";
import { FailedLogins } from "./failed-logins.ts";
import { Rate } from "./rate.ts";

/** The dependencies of `LoginLog`. */
export interface LoginLogOptions {
  readonly store: Store;
  readonly audit: Audit;
  readonly now: () => number;
}

/** How many failures per second are recorded in total, so that they can't fill the disk. */
const NOTED_FAILURES = 10;

/** Records successful and failed logins, and delays addresses that fail repeatedly. */
export class LoginLog {
  readonly #options: LoginLogOptions;
  readonly #failures: FailedLogins;
  readonly #notedFailures: Rate;

  constructor(options: LoginLogOptions) {
    this.#options = options;
    this.#failures = new FailedLogins(options.now);
    this.#notedFailures = new Rate(NOTED_FAILURES, options.now);
  }

  /** Records a login, or a change of credentials. */
  note(actor: string, action: string, detail: string, subject: string): void {
    const { store, audit } = this.#options;
    // On a full disk only this write waits, not the client.
    store.keep([audit({ kind: "login", actor, action, subject, detail })]).catch(() => {});
  }

  /** Records a failed login from an address; returns how long requests from there are rejected. */
  refused(address: string, what: string): number {
    const waitMs = this.#failures.waitMs(address);
    if (waitMs > 0) return waitMs;
    this.#failures.failed(address);
    if (this.#notedFailures.take()) this.note("somebody", "refused", what, address);
    return 0;
  }

  /** A successful login resets the wait. */
  succeeded(address: string): void {
    this.#failures.succeeded(address);
  }
}
