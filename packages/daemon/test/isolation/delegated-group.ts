import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Where control groups of version 2 are mounted; undefined where the system has none. */
export const CGROUP2 = /^\S+ \S+ \S+ \/ (\S+) .* - cgroup2 /m.exec(
  readFileSync("/proc/self/mountinfo", "utf8"),
)?.[1];

/** A control group as a service manager gives one to a daemon. */
export class DelegatedGroup {
  readonly folder = join(CGROUP2 ?? "", `agentwire-${randomBytes(6).toString("hex")}`);
  /** The groups that were made below it at any time. */
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

  /** The processes in it, or in one below it. */
  processes(...names: readonly string[]): readonly number[] {
    const text = readFileSync(join(this.folder, ...names, "cgroup.procs"), "utf8");
    return text.split("\n").filter(Boolean).map(Number);
  }

  /** Ends everything in it and removes it. */
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
