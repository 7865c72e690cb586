import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** The mount point of control groups version 2; undefined on systems without them. */
export const CGROUP2 = /^\S+ \S+ \S+ \/ (\S+) .* - cgroup2 /m.exec(
  readFileSync("/proc/self/mountinfo", "utf8"),
)?.[1];

/** A control group as a service manager delegates it to a daemon. */
export class DelegatedGroup {
  readonly folder = join(CGROUP2 ?? "", `agentwire-${randomBytes(6).toString("hex")}`);
  /** All groups ever created below it. */
  readonly seen = new Set<string>();
  readonly #watcher;

  constructor() {
    mkdirSync(this.folder);
    this.#watcher = watch(this.folder, (_, name) => void this.seen.add(name ?? ""));
  }

  /** The groups below it. */
  get groups(): readonly string[] {
    return readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }

  /** The processes in it, or in a group below it. */
  processes(...names: readonly string[]): readonly number[] {
    const text = readFileSync(join(this.folder, ...names, "cgroup.procs"), "utf8");
    return text.split("\n").filter(Boolean).map(Number);
  }

  /** Kills everything in it and removes it. */
  async remove(): Promise<void> {
    this.#watcher.close();
    writeFileSync(join(this.folder, "cgroup.kill"), "1");
    for (const name of this.groups) {
      await expect.poll(() => this.processes(name), { timeout: 10_000 }).toEqual([]);
      rmdirSync(join(this.folder, name));
    }
    await expect.poll(() => this.processes(), { timeout: 10_000 }).toEqual([]);
    rmdirSync(this.folder);
  }
}
