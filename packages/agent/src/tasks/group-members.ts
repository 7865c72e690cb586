import { readdirSync, readFileSync } from "node:fs";

const DEAD = new Set(["Z", "X"]);

/**
 * Whether a process group has a member that still runs. Orphans stay in it as zombies until the first process of the system
 * reaps them, which in containers can take seconds or for ever; only Linux lets us tell, elsewhere they count.
 */
export function hasLivingMember(group: number): boolean {
  const pids = listProcesses();
  return pids === undefined || pids.some((pid) => isLivingMember(pid, group));
}

function listProcesses(): readonly string[] | undefined {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.length > 0 ? pids : undefined;
  } catch {
    return undefined;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state parent group`, and the name may hold anything.
    const [state = "", , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3);
    return Number(ofGroup) === group && !DEAD.has(state);
  } catch {
    return false;
  }
}
