import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { startGuard } from "../../src/tasks/guard.ts";
import { isGroupAlive, killGroup } from "../../src/tasks/kill-group.ts";
import { ProcessGroups } from "../../src/tasks/process-groups.ts";
import { isAlive } from "../bash/workbench.ts";

async function startGroup(
  script: string,
): Promise<{ readonly group: number; readonly pids: readonly number[] }> {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const group = child.pid ?? 0;
  onTestFinished(() => killGroup(group, 0));
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.destroy();
  return { group, pids: output.toString().trim().split(" ").map(Number) };
}

const STUBBORN = "trap '' TERM; sleep 1000 & a=$!; (sleep 1000 & echo $a $! $$; wait; wait)";

describe("ending a group", () => {
  test("a group that obeys is gone at once", async () => {
    const { group, pids } = await startGroup("sleep 1000 & echo $!; wait");
    await killGroup(group, 60_000);
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });

  test("a group that ignores the request is killed after the grace", async () => {
    const { group, pids } = await startGroup(STUBBORN);
    await killGroup(group, 50);
    expect(pids).toHaveLength(3);
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });

  test.each([0, 1, -1, Number.NaN])("%s is no group", async (group) => {
    await killGroup(group, 0);
    expect(isGroupAlive(group)).toBe(false);
  });

  test("all groups of a session end together, with their guard", async () => {
    const groups = new ProcessGroups();
    groups.prepare();
    const started = [await startGroup("sleep 1000 & echo $!"), await startGroup("sleep 1000 & echo $!")];
    for (const { group } of started) groups.add(group);
    await groups.killAll();
    for (const { pids } of started) for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });
});

describe("a guard whose input ends, as it does when the agent is killed", () => {
  test("ends what it watches and nothing else", async () => {
    const [watched, forgotten] = [await startGroup(STUBBORN), await startGroup("sleep 1000 & echo $!; wait")];
    const guard = startGuard();
    for (const { group } of [watched, forgotten]) guard.watch(group);
    guard.forget(forgotten.group);
    guard.close();
    while ((await Promise.all(watched.pids.map(isAlive))).includes(true)) await delay(20);
    expect(isGroupAlive(forgotten.group)).toBe(true);
  }, 10_000);

  test("ends too", async () => {
    const guard = startGuard();
    guard.close();
    while (guard.isRunning) await delay(5);
  });
});
