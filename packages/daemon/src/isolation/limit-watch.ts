import { type FamilyUse, familyUse, signalGroup } from "@agentwire/local/process";
import type { ControlGroup, WatchedLimit } from "./control-group.ts";
import type { Limits } from "./isolation-settings.ts";

/** How often resource usage is checked. */
const LOOK_MS = 250;
const MB = 1024 ** 2;

/**
 * Kills a process group and everything in its sandbox as soon as it exceeds a limit. The kernel's own limits apply to single processes,
 * and make a program fail without giving a reason.
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

  /** Stops watching; returns the reason if the process was stopped. */
  end(): string | undefined {
    clearInterval(this.#timer);
    this.#reason ??= this.#known();
    void this.#group?.remove();
    return this.#reason;
  }

  /** The limit that the kernel's counters report, which also cover the time between two checks. */
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
    return ended("cpuSeconds", limits, `used ${Math.ceil(cpuSeconds)} seconds of CPU time`);
  return undefined;
}

/** The reason for stopping an agent that has reached a limit, with the exact usage if known. */
function ended(limit: WatchedLimit, limits: Limits, what?: string): string {
  const [did, allowed, key] = {
    processes: [`ran more than ${limits.processes} processes`, `${limits.processes}`, "processes"],
    memoryBytes: ["used more memory", `${limits.memoryBytes / MB} MB`, "memory_mb"],
    cpuSeconds: ["used more seconds of CPU time", `${limits.cpuSeconds}`, "cpu_seconds"],
  }[limit];
  return `The agent was stopped: it ${what ?? did}, and its sandbox allows ${allowed} (limits.${key}).`;
}
