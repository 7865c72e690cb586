import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { knownGroup, livingGroups, outliveGroups } from "../../src/process/known-group.ts";
import { signalGroup } from "../../src/process/signal-group.ts";

const groups: number[] = [];
afterEach(() => {
  for (const group of groups.splice(0)) signalGroup(group, "SIGKILL");
});

/** Starts a shell in a separate group and waits for its first output. */
async function shell(script: string) {
  const child = spawn("sh", ["-c", `${script}; echo ready; wait; sleep 60`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { pid = 0 } = child;
  groups.push(pid);
  await once(child.stdout, "data");
  const known = knownGroup(pid);
  if (!known) throw new Error("the system provides no process data");
  return { child, known };
}

describe("groups left by an earlier host", () => {
  test("are killed after the grace period if they do not end by themselves", async () => {
    const { child, known } = await shell("trap '' TERM");
    expect(livingGroups([known])).toEqual([known]);
    const gone = once(child, "exit");
    expect(await outliveGroups([known], 100)).toEqual([]);
    expect((await gone)[1]).toBe("SIGKILL");
    expect(livingGroups([known])).toEqual([]);
  });

  test("may end by themselves within the grace period", async () => {
    const { child, known } = await shell("trap 'exit 3' TERM");
    const gone = once(child, "exit");
    setTimeout(() => signalGroup(known.group, "SIGTERM"), 200);
    await outliveGroups([known], 20_000);
    expect((await gone)[0]).toBe(3);
  });

  test("live as long as any process that their leader started", async () => {
    const { child, known } = await shell("sleep 60 & true");
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    expect(livingGroups([known])).toEqual([known]);
    expect(await outliveGroups([known], 50)).toEqual([]);
  });

  test("are not confused with groups that reuse their number, nor with groups from another boot", async () => {
    const { known } = await shell("true");
    const [boot = "", ticks = ""] = known.startedAt.split(" ");
    const others = [
      { ...known, startedAt: `${boot} ${Number(ticks) - 1}` },
      { ...known, startedAt: `another-run ${ticks}` },
    ];
    expect(await outliveGroups(others, 50)).toEqual([]);
    expect(livingGroups([known])).toEqual([known]);
  });
});
