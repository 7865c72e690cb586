import { type FamilyUse, familyUse, signalGroup } from "@agentwire/local/process";
import type { ControlGroup, WatchedLimit } from "./control-group.ts";
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
  readonly #group: ControlGroup | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: string | undefined;

  constructor(limits: Limits, group?: ControlGroup) {
    this.#limits = limits;
    this.#group = group;
  }

  begin(group: number): void {
    this.#timer = setInterval(() => {
      this.#reason ??= this.#known() ?? excess(familyUse(group, this.#limits.processes), this.#limits);
      if (this.#reason === undefined) return;
      signalGroup(group, "SIGKILL");
      this.#group?.kill();
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Why it was ended; undefined where it was not. */
  end(): string | undefined {
    clearInterval(this.#timer);
    this.#reason ??= this.#known();
    void this.#group?.remove();
    return this.#reason;
  }

  /** What the kernel has counted, which misses nothing between two looks. */
  #known(): string | undefined {
    const limit = this.#group?.excess();
    return limit && ended(limit, this.#limits);
  }
}

function excess({ memoryBytes, processes, cpuSeconds }: FamilyUse, limits: Limits): string | undefined {
  if (processes > limits.processes) return ended("processes", limits);
  if (memoryBytes > limits.memoryBytes)
    return ended("memoryBytes", limits, `used ${Math.ceil(memoryBytes / MB)} MB of memory`);
  if (limits.cpuSeconds !== undefined && cpuSeconds > limits.cpuSeconds)
    return ended("cpuSeconds", limits, `used ${Math.ceil(cpuSeconds)} seconds of computing time`);
  return undefined;
}

/** Why an agent was ended that has reached a limit, and what it did if that is known exactly. */
function ended(limit: WatchedLimit, limits: Limits, what?: string): string {
  const [did, allowed, key] = {
    processes: [`ran more than ${limits.processes} processes`, `${limits.processes}`, "processes"],
    memoryBytes: ["used more memory", `${limits.memoryBytes / MB} MB`, "memory_mb"],
    cpuSeconds: ["used more seconds of computing time", `${limits.cpuSeconds}`, "cpu_seconds"],
  }[limit];
  return `The agent was stopped: it ${what ?? did}, and its sandbox allows ${allowed} (limits.${key}).`;
}
