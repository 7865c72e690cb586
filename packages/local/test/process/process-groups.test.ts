import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { endGroup } from "../../src/process/end-group.ts";
import { startGuard } from "../../src/process/guard.ts";
import { ProcessGroups } from "../../src/process/process-groups.ts";
import { processEntry } from "../../src/process/process-table.ts";
import { groupExists } from "../../src/process/signal-group.ts";

const isAlive = (pid: number) => processEntry(pid).some((entry) => entry.isAlive);

async function startGroup(
  script: string,
): Promise<{ readonly group: number; readonly pids: readonly number[] }> {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const group = child.pid ?? 0;
  onTestFinished(() => endGroup(group, 0));
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.destroy();
  return { group, pids: output.toString().trim().split(" ").map(Number) };
}

/** A stopped group that exits with code 7 on SIGTERM. */
async function startStopped() {
  const child = spawn("sh", ["-c", "trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const group = child.pid ?? 0;
  onTestFinished(() => endGroup(group, 0));
  await once(child.stdout, "data");
  process.kill(-group, "SIGSTOP");
  return { child, group };
}

const STUBBORN = "trap '' TERM; sleep 1000 & a=$!; (sleep 1000 & echo $a $! $$; wait; wait)";

describe("a process group", () => {
  test("is gone immediately if it handles SIGTERM", async () => {
    const { group, pids } = await startGroup("sleep 1000 & echo $!; wait");
    await endGroup(group, 60_000);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("is killed after the grace period if it ignores SIGTERM", async () => {
    const { group, pids } = await startGroup(STUBBORN);
    await endGroup(group, 50);
    expect(pids).toHaveLength(3);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("receives SIGTERM even if it is stopped", async () => {
    const { child, group } = await startStopped();
    await Promise.all([endGroup(group, 60_000), expect(once(child, "exit")).resolves.toEqual([7, null])]);
  });

  test.each([0, 1, -1, Number.NaN])("can't have the number %s", async (group) => {
    await endGroup(group, 0);
    expect(groupExists(group)).toBe(false);
  });

  test("ends together with the other groups of a session and their guard", async () => {
    const groups = new ProcessGroups();
    groups.prepare();
    const started = [await startGroup("sleep 1000 & echo $!"), await startGroup("sleep 1000 & echo $!")];
    for (const { group } of started) groups.add(group);
    await groups.endAll();
    for (const { pids } of started) for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });
});

test("a guard that was killed is replaced by one that watches the same groups", async () => {
  const { group, pids } = await startGroup("sleep 1000 & echo $!; wait");
  const groups = new ProcessGroups();
  groups.add(group);
  const before = groups.prepare();
  const closed = new Promise((resolve) => before.once("close", resolve));
  before.destroy(new Error("the guard is gone"));
  await closed;
  expect(groups.prepare()).not.toBe(before);
  groups.release();
  while (pids.some(isAlive)) await delay(20);
});

describe("a guard whose stdin closes, as it does when its program is killed", () => {
  test("ends the groups it watches and nothing else", async () => {
    const [watched, forgotten] = [await startGroup(STUBBORN), await startGroup("sleep 1000 & echo $!; wait")];
    const guard = startGuard();
    for (const { group } of [watched, forgotten]) guard.watch(group);
    guard.forget(forgotten.group);
    guard.close();
    while (watched.pids.some(isAlive)) await delay(20);
    expect(groupExists(forgotten.group)).toBe(true);
  }, 10_000);

  test("lets a stopped group receive SIGTERM", async () => {
    const { child, group } = await startStopped();
    const guard = startGuard();
    guard.watch(group);
    guard.close();
    expect(await once(child, "exit")).toEqual([7, null]);
  });

  test("forgets a group that was announced twice", async () => {
    const { group } = await startGroup("sleep 1000 & echo $!; wait");
    const guard = startGuard();
    for (const word of ["watch", "watch", "forget", "forget"] as const) guard[word](group);
    guard.close();
    while (guard.isRunning) await delay(5);
    expect(groupExists(group)).toBe(true);
  });

  test("ends too", async () => {
    const guard = startGuard();
    guard.close();
    while (guard.isRunning) await delay(5);
  });
});
