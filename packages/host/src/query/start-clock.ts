import { after } from "@agentwire/protocol/support";
import { HostError } from "../errors.ts";
import type { SDKMessage } from "../sdk/messages.ts";

const LIMIT_MS = 60_000;
/** How long start hooks may run in total before their time counts too. */
const HOOKS_MS = 600_000;
const START_HOOKS: ReadonlySet<string> = new Set(["SessionStart", "Setup"]);

/** Measures the time until an agent is ready, without the time that the user's own start hooks take. */
export class StartClock {
  readonly #limitMs: number;
  #leftMs: number;
  #hooksLeftMs: number;
  readonly #running = new Set<string>();
  #since = 0;
  #stop: () => void = () => {};
  #expire: () => void = () => {};

  /** If a limit is given, the time of start hooks counts too. */
  constructor(limitMs: number | undefined) {
    this.#limitMs = limitMs ?? LIMIT_MS;
    this.#leftMs = this.#limitMs;
    this.#hooksLeftMs = limitMs === undefined ? HOOKS_MS : 0;
  }

  /** Waits for work until the time is used up. */
  async race(work: Promise<void>): Promise<void> {
    const late = new Promise<never>((_, reject) => {
      this.#expire = () => {
        const text = `The agent was not ready within ${this.#limitMs} ms.`;
        reject(new HostError("request_timeout", text));
      };
    });
    this.#arm();
    try {
      await Promise.race([work, late]);
    } finally {
      this.#stop();
    }
  }

  /** Records the start and end of hooks. */
  note(message: SDKMessage): void {
    if (message.type !== "system") return;
    if (message.subtype === "hook_started" && START_HOOKS.has(message.hook_event)) {
      this.#count();
      this.#running.add(message.hook_id);
      this.#arm();
    } else if (message.subtype === "hook_response" && this.#running.has(message.hook_id)) {
      this.#count();
      this.#running.delete(message.hook_id);
      this.#arm();
    }
  }

  get #isPaused(): boolean {
    return this.#running.size > 0 && this.#hooksLeftMs > 0;
  }

  #count(): void {
    const passed = performance.now() - this.#since;
    if (this.#isPaused) this.#hooksLeftMs -= passed;
    else this.#leftMs -= passed;
  }

  #arm(): void {
    this.#stop();
    this.#since = performance.now();
    if (this.#isPaused)
      this.#stop = after(this.#hooksLeftMs, () => {
        this.#count();
        this.#hooksLeftMs = 0;
        this.#arm();
      });
    else this.#stop = after(Math.max(0, this.#leftMs), () => this.#expire());
  }
}
