import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { familyOf } from "@agentwire/local/process";
import type { Limits } from "./isolation-settings.ts";

/** What of the kernel's accounting is used, where it is there. */
const CONTROLLERS = ["memory", "pids", "cpu"];
/** The group that the daemon itself moves to: only groups without processes of their own can have groups with limits. */
const DAEMON = "daemon";
const AGENT = /^agent-\d+$/;
/** The kernel counts threads. */
const THREADS = 4;
const SPARE_THREADS = 256;
const MOVES = 10;
/** How often a stranger has to be seen. */
const LOOKS = 3;
const MAX_TAKEN = 100;
const REMOVE_TRIES = 40;
const REMOVE_MS = 50;

/** A limit for an agent with everything that it starts. */
export type WatchedLimit = Exclude<keyof Limits, "openFiles">;

/** The group of one agent, with everything that it starts. */
export interface ControlGroup {
  /** A process that writes its id into this file is in the group, and so is what it starts. */
  readonly entrance: string;
  /** The limit that the agent has reached. */
  excess(): WatchedLimit | undefined;
  /** Ends everything in it at once. */
  kill(): void;
  /** Ends it and takes it away. Never rejects. */
  remove(): Promise<void>;
}

/** Control groups (v2) for agents, below that of the daemon. */
export class ControlGroups {
  readonly #folder: string;
  readonly #removals = new Set<Promise<void>>();
  #made = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes over the group that a process is in, if that was given to it: nobody else's processes are in it, and it may make others
   * below. So it is for a service of systemd with `Delegate=`. Undefined where it is not so.
   */
  static open(pid = process.pid, folder = groupOf(pid)): ControlGroups | undefined {
    if (folder === undefined) return undefined;
    try {
      const own = join(folder, DAEMON);
      let looks = 0;
      // Some may start while others are moved.
      for (let move = 0; move < MOVES && processesIn(folder).length > 0; move++) {
        const there = processesIn(folder);
        const known = familyOf(pid);
        if (!there.every((one) => known.has(one))) {
          // One of our own may have ended between the two looks.
          if (++looks === LOOKS) return undefined;
          continue;
        }
        mkdirSync(own, { recursive: true });
        for (const one of there) tryTo(() => writeFileSync(join(own, "cgroup.procs"), String(one)));
      }
      if (processesIn(folder).length > 0) return undefined;
      const usable = textOf(join(folder, "cgroup.controllers")).trim().split(/\s+/);
      for (const name of CONTROLLERS.filter((one) => usable.includes(one)))
        writeFileSync(join(folder, "cgroup.subtree_control"), `+${name}`);
      // What a daemon that was killed has left.
      for (const name of readdirSync(folder))
        if (AGENT.test(name)) tryTo(() => rmdirSync(join(folder, name)));
      return new ControlGroups(folder);
    } catch {
      return undefined;
    }
  }

  /** A group with these limits; undefined where the system allows no more groups. */
  create(limits: Limits): ControlGroup | undefined {
    const path = this.#newFolder();
    if (path === undefined) return undefined;
    const file = (name: string) => join(path, name);
    // A file is there if its controller is.
    const set = (name: string, value: string) =>
      tryTo(() => writeFileSync(file(name), value, { flag: "r+" }));
    set("memory.max", String(limits.memoryBytes));
    set("memory.swap.max", "0");
    // Half an agent is of no use to anybody.
    set("memory.oom.group", "1");
    set("pids.max", String(limits.processes * THREADS + SPARE_THREADS));
    const kill = () => set("cgroup.kill", "1");
    return {
      entrance: file("cgroup.procs"),
      excess: () => excessOf((name) => textOf(file(name)), limits),
      kill,
      remove: () => {
        const removal = removeGroup(path, kill).finally(() => this.#removals.delete(removal));
        this.#removals.add(removal);
        return removal;
      },
    };
  }

  /** Waits until the groups that are being removed are gone. */
  async removed(): Promise<void> {
    await Promise.all(this.#removals);
  }

  /** Names may still be taken by groups that could not be removed. */
  #newFolder(): string | undefined {
    for (let tries = 0; tries < MAX_TAKEN; tries++) {
      const path = join(this.#folder, `agent-${++this.#made}`);
      if (tryTo(() => mkdirSync(path))) return path;
    }
    return undefined;
  }
}

/** A group is in use until its processes are gone. */
async function removeGroup(path: string, kill: () => void): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    kill();
    if (tryTo(() => rmdirSync(path))) return;
    await delay(REMOVE_MS);
  }
}

/** Reads from the kernel's counters which limit was reached. */
export function excessOf(read: (name: string) => string, limits: Limits): WatchedLimit | undefined {
  const count = (name: string, key: string) =>
    Number(new RegExp(`^${key} (\\d+)$`, "m").exec(read(name))?.[1] ?? 0);
  if (count("memory.events", "oom_kill") > 0) return "memoryBytes";
  if (count("pids.events", "max") > 0) return "processes";
  const seconds = count("cpu.stat", "usage_usec") / 1e6;
  return limits.cpuSeconds !== undefined && seconds > limits.cpuSeconds ? "cpuSeconds" : undefined;
}

/** The folder of the group that a process is in; undefined in the first of all groups, which belongs to the system. */
function groupOf(pid: number): string | undefined {
  const mounts = textOf("/proc/self/mountinfo").matchAll(/^\S+ \S+ \S+ \/ (\S+) .* - cgroup2 /gm);
  const [mount] = [...mounts].map(([, folder]) => folder);
  const path = /^0::(\/.+)$/m.exec(textOf(`/proc/${pid}/cgroup`))?.[1];
  return mount === undefined || path === undefined ? undefined : join(mount, path);
}

const processesIn = (folder: string) =>
  textOf(join(folder, "cgroup.procs")).trim().split("\n").filter(Boolean).map(Number);

function tryTo(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
