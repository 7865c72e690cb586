import { type FamilyUse, familyUse, signalGroup } from "@agentwire/local/process";
import type { Limits } from "./isolation-settings.ts";

/** How often the use is looked at. */
const LOOK_MS = 250;
const MB = 1024 ** 2;

/**
 * Ends a process group with everything in its sandbox as soon as it uses more than it may: limits of the kernel hold for single processes,
 * and let a program fail without saying why.
 */
export class LimitWatch {
  readonly #limits: Limits;
  #timer: NodeJS.Timeout | undefined;
  #reason: string | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  begin(group: number): void {
    this.#timer = setInterval(() => {
      this.#reason ??= excess(familyUse(group, this.#limits.processes), this.#limits);
      if (this.#reason !== undefined) signalGroup(group, "SIGKILL");
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Why it was ended; undefined where it was not. */
  end(): string | undefined {
    clearInterval(this.#timer);
    return this.#reason;
  }
}

function excess({ memoryBytes, processes, cpuSeconds }: FamilyUse, limits: Limits): string | undefined {
  const ended = (what: string, limit: string, key: string) =>
    `The agent was ended: it ${what}, and its sandbox allows ${limit} (limits.${key}).`;
  if (processes > limits.processes)
    return ended(`ran more than ${limits.processes} processes`, `${limits.processes}`, "processes");
  if (memoryBytes > limits.memoryBytes)
    return ended(
      `used ${Math.ceil(memoryBytes / MB)} MB of memory`,
      `${limits.memoryBytes / MB} MB`,
      "memory_mb",
    );
  if (limits.cpuSeconds !== undefined && cpuSeconds > limits.cpuSeconds)
    return ended(
      `used ${Math.ceil(cpuSeconds)} seconds of computing time`,
      `${limits.cpuSeconds}`,
      "cpu_seconds",
    );
  return undefined;
}
