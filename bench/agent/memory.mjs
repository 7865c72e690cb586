import { readdirSync, readFileSync } from "node:fs";

/** The resident memory of a process and all its descendants, in MB. */
export function residentMemory(pid) {
  const children = childrenByParent();
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family.reduce((sum, member) => sum + residentKb(member), 0) / 1024;
}

function childrenByParent() {
  const children = new Map();
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const parent = field(pid, "PPid");
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

const residentKb = (pid) => field(pid, "VmRSS");

/** 0 for a process that has just ended. */
function field(pid, name) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
