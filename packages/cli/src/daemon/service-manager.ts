import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Log } from "@agentwire/protocol/support";
import type { Io } from "../io.ts";

/** Variables set by a service manager, which agents must not inherit. */
const ITS_OWN: ReadonlySet<string> = new Set([
  "NOTIFY_SOCKET",
  "WATCHDOG_USEC",
  "WATCHDOG_PID",
  "INVOCATION_ID",
]);

/** The environment without the variables of the service manager. */
export const withoutServiceManager = (env: Io["env"]): Io["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ITS_OWN.has(name)));

const NOTIFIER = "systemd-notify";

/** How long one notification may take: the next waits for it. */
const TELL_MS = 5000;

/**
 * Notifies systemd of the daemon's state if it asks for that, one notification at a time. Its socket takes datagrams, which Node can't
 * send to a path, so this runs systemd-notify.
 */
export class ServiceManager {
  readonly #env: Io["env"];
  readonly #log: Log;
  #watchdog: NodeJS.Timeout | undefined;
  #told: Promise<void> = Promise.resolve();
  #isMissing = false;
  /** Whether a watchdog notification is being sent; they must not pile up on a slow machine. */
  #isBeating = false;

  constructor({ env }: Pick<Io, "env">, log: Log) {
    this.#env = env;
    this.#log = log;
  }

  /** Reports that the daemon is ready or has reloaded its settings, and starts the watchdog notifications. */
  ready(status: string): void {
    this.#tell("READY=1", `MAINPID=${process.pid}`, `STATUS=${status}`);
    const { WATCHDOG_USEC: limit = "", WATCHDOG_PID: pid = "" } = this.#env;
    const isForUs = pid === "" || Number(pid) === process.pid;
    if (this.#watchdog || !isForUs || !(Number(limit) > 0)) return;
    // At half the watchdog interval, as systemd advises.
    this.#watchdog = setInterval(() => this.#beat(), Number(limit) / 2000).unref();
  }

  reloading(): void {
    const usec = process.hrtime.bigint() / 1000n;
    this.#tell("RELOADING=1", `MONOTONIC_USEC=${usec}`);
  }

  /** Reports that the daemon is stopping; resolves once systemd was notified or could not be. */
  stopping(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#tell("STOPPING=1");
    return this.#told;
  }

  #beat(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#tell("WATCHDOG=1");
    void this.#told.then(() => {
      this.#isBeating = false;
    });
  }

  #tell(...news: readonly string[]): void {
    this.#told = this.#told.then(() => this.#send(news));
  }

  async #send(news: readonly string[]): Promise<void> {
    const { NOTIFY_SOCKET: socket, PATH } = this.#env;
    if (!socket || this.#isMissing) return;
    const child = spawn(NOTIFIER, news, {
      env: { PATH, NOTIFY_SOCKET: socket },
      stdio: "ignore",
      timeout: TELL_MS,
    });
    try {
      await once(child, "exit");
    } catch (error) {
      this.#isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      const why = this.#isMissing
        ? "systemd-notify was not found; use Type=exec in its unit"
        : "systemd-notify failed to run; it will be tried again for the next notification";
      this.#log.warn(`can't notify systemd: ${why}`, { error });
    }
  }
}
