import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { familyOf } from "@agentwire/local/process";
import type { Limits } from "./isolation-settings.ts";

/** The controllers to use, if available. */
const CONTROLLERS = ["memory", "pids", "cpu"];
/** The group that the daemon itself moves to: only groups that contain no processes can have subgroups with limits. */
const DAEMON = "daemon";
const AGENT = /^agent-\d+$/;
/** The kernel counts threads, not processes. */
const THREADS = 4;
const SPARE_THREADS = 256;
const MOVES = 10;
/** How many checks in a row must find a foreign process: what an ended process has left behind is foreign until it ends as well. */
const LOOKS = 10;
const LOOK_MS = 50;
const MAX_TAKEN = 100;
const REMOVE_TRIES = 40;
const REMOVE_MS = 50;

/** A limit for an agent including everything that it starts. */
export type WatchedLimit = Exclude<keyof Limits, "openFiles">;

/** The group of one agent and everything that it starts. */
export interface ControlGroup {
  /** A process that writes its id to this file joins the group, and so does everything that it starts. */
  readonly entrance: string;
  /** The limit that the agent has reached. */
  excess(): WatchedLimit | undefined;
  /** Kills everything in it at once. */
  kill(): void;
  /** Kills everything in it and removes it. Never rejects. */
  remove(): Promise<void>;
}

/** Control groups (v2) for agents, below the daemon's own group. */
export class ControlGroups {
  readonly #folder: string;
  readonly #removals = new Set<Promise<void>>();
  #made = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes over the group of a process if it was delegated, as for a systemd service with `Delegate=`: the group contains no foreign
   * processes, and subgroups can be created. Otherwise undefined.
   */
  static async open(pid = process.pid, folder = groupOf(pid)): Promise<ControlGroups | undefined> {
    if (folder === undefined) return undefined;
    try {
      // A group that was not delegated usually belongs to root.
      accessSync(folder, constants.W_OK);
      const own = join(folder, DAEMON);
      // New processes may start while others are moved.
      for (let move = 0; move < MOVES; move++) {
        const there = await ownProcesses(pid, folder);
        if (there === undefined) return undefined;
        if (there.length === 0) break;
        mkdirSync(own, { recursive: true });
        for (const one of there) tryTo(() => writeFileSync(join(own, "cgroup.procs"), String(one)));
      }
      if (processesIn(folder).length > 0) return undefined;
      const usable = textOf(join(folder, "cgroup.controllers")).trim().split(/\s+/);
      for (const name of CONTROLLERS.filter((one) => usable.includes(one)))
        writeFileSync(join(folder, "cgroup.subtree_control"), `+${name}`);
      // Remove groups left by a daemon that was killed.
      for (const name of readdirSync(folder))
        if (AGENT.test(name)) tryTo(() => rmdirSync(join(folder, name)));
      return new ControlGroups(folder);
    } catch {
      return undefined;
    }
  }

  /** Creates a group with these limits; undefined if the system allows no more groups. */
  create(limits: Limits): ControlGroup | undefined {
    const path = this.#newFolder();
    if (path === undefined) return undefined;
    const file = (name: string) => join(path, name);
    // A file exists only if its controller is enabled.
    const set = (name: string, value: string) =>
      tryTo(() => writeFileSync(file(name), value, { flag: "r+" }));
    set("memory.max", String(limits.memoryBytes));
    set("memory.swap.max", "0");
    // Kill the whole group at once: the rest of an agent is of no use.
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

  /** Skips names that are still taken by groups that could not be removed. */
  #newFolder(): string | undefined {
    for (let tries = 0; tries < MAX_TAKEN; tries++) {
      const path = join(this.#folder, `agent-${++this.#made}`);
      if (tryTo(() => mkdirSync(path))) return path;
    }
    return undefined;
  }
}

/** The processes in a group; undefined if they are not all of one family. */
async function ownProcesses(pid: number, folder: string): Promise<readonly number[] | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await delay(LOOK_MS);
    const there = processesIn(folder);
    const known = familyOf(pid);
    if (there.every((one) => known.has(one))) return there;
  }
  return undefined;
}

/** Retries, since a group can't be removed until its processes are gone. */
async function removeGroup(path: string, kill: () => void): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    kill();
    if (tryTo(() => rmdirSync(path))) return;
    await delay(REMOVE_MS);
  }
}

/** Determines from the kernel's counters which limit was reached. */
export function excessOf(read: (name: string) => string, limits: Limits): WatchedLimit | undefined {
  const count = (name: string, key: string) =>
    Number(new RegExp(`^${key} (\\d+)$`, "m").exec(read(name))?.[1] ?? 0);
  if (count("memory.events", "oom_kill") > 0) return "memoryBytes";
  if (count("pids.events", "max") > 0) return "processes";
  const seconds = count("cpu.stat", "usage_usec") / 1e6;
  return limits.cpuSeconds !== undefined && seconds > limits.cpuSeconds ? "cpuSeconds" : undefined;
}

/** The folder of a process's group; undefined in the root group, which belongs to the system. */
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
