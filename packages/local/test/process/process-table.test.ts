import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { endGroup } from "../../src/process/end-group.ts";
import { groupsBelow, hasLivingMember } from "../../src/process/process-table.ts";
import { signalGroup } from "../../src/process/signal-group.ts";

/** A process that leads a group, with a grandchild that leads another. */
async function family() {
  const script = "setsid sh -c 'echo $$; exec sleep 60' & wait";
  const child = spawn("sh", ["-c", `sh -c "${script.replaceAll("$", "\\$")}" & wait`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const group = child.pid ?? 0;
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const stray = Number(line);
  onTestFinished(() => {
    for (const one of [group, stray]) signalGroup(one, "SIGKILL");
  });
  return { child, group, stray };
}

test("finds a group created by a grandchild, and no groups of other processes", async () => {
  const other = await family();
  const { group, stray } = await family();
  expect(groupsBelow(group)).toEqual([stray]);
  expect(groupsBelow(other.group)).toEqual([other.stray]);
});

test("a group lives as long as one of its processes does", async () => {
  const { child, group, stray } = await family();
  expect(hasLivingMember(group)).toBe(true);
  await Promise.all([endGroup(group, 2000), once(child, "exit")]);
  expect(hasLivingMember(group)).toBe(false);
  expect(hasLivingMember(stray)).toBe(true);
  await endGroup(stray, 2000);
  expect(hasLivingMember(stray)).toBe(false);
});
