import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ControlGroups, excessOf } from "../../src/isolation/control-group.ts";
import { CGROUP2, DelegatedGroup } from "./delegated-group.ts";

const LIMITS = { memoryBytes: 2 ** 28, processes: 60, openFiles: 100, cpuSeconds: 4 };

test("the kernel's counters identify the limit that was exceeded", () => {
  const excess = (files: Readonly<Record<string, string>>) => excessOf((name) => files[name] ?? "", LIMITS);
  const nothing = {
    "memory.events": "low 0\nhigh 0\nmax 31\noom 0\noom_kill 0\noom_group_kill 0\n",
    "pids.events": "max 0\n",
    "cpu.stat": "usage_usec 3999999\nuser_usec 5000000\n",
  };
  expect(excess({})).toBeUndefined();
  expect(excess(nothing)).toBeUndefined();
  expect(excess({ ...nothing, "memory.events": "oom 1\noom_kill 3\n" })).toBe("memoryBytes");
  expect(excess({ ...nothing, "pids.events": "max 2\n" })).toBe("processes");
  expect(excess({ ...nothing, "cpu.stat": "usage_usec 4000001\n" })).toBe("cpuSeconds");
});

// Skipped on systems without control groups.
test.runIf(CGROUP2)(
  "a process creates groups below its own group, and everything in such a group is ended at once",
  async () => {
    const given = new DelegatedGroup();
    const { folder } = given;
    const shell = async (script: string, ...args: readonly string[]) => {
      const child = spawn("sh", ["-c", `${script}; echo; exec sleep 600`, "sh", ...args], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      return child;
    };
    try {
      const owner = await shell('echo $$ >"$1/cgroup.procs"; sleep 600 & :', folder);
      const stranger = await shell('echo $$ >"$1/cgroup.procs"', folder);
      expect(await ControlGroups.open(owner.pid, folder), "somebody else is in the group").toBeUndefined();
      // What an ended process left behind is a stranger, too, but not for long.
      setTimeout(() => stranger.kill("SIGKILL"), 100);
      const group = (await ControlGroups.open(owner.pid, folder))?.create(LIMITS);
      expect(given.processes()).toEqual([]);
      expect(given.processes("daemon")).toContain(owner.pid);
      expect(given.processes("daemon")).toHaveLength(2);
      const agent = await shell('echo $$ >"$1"; (sleep 600 & setsid sleep 600 & :)', group?.entrance ?? "");
      expect(given.processes("agent-1")).toContain(agent.pid);
      expect(given.processes("agent-1")).toHaveLength(3);
      const limits = [
        ["memory.max", LIMITS.memoryBytes],
        ["pids.max", 496],
      ] as const;
      // Some systems count memory and processes in groups of version 1.
      for (const [name, value] of limits)
        if (existsSync(join(folder, "agent-1", name)))
          expect(Number(readFileSync(join(folder, "agent-1", name), "utf8"))).toBe(value);
      expect(group?.excess()).toBeUndefined();
      await group?.remove();
      expect(given.groups).toEqual(["daemon"]);
      expect(given.processes("daemon")).toHaveLength(2);
    } finally {
      await given.remove();
    }
  },
);
