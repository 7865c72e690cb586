import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The living processes with a mark in their command line or environment that only one test uses. */
export function marked(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => hasMark(pid, mark))
    .map(Number);
}

/** Waits until no process has the mark, at most for this long; returns those that still do. */
export async function leftOver(mark: string, ms: number): Promise<number[]> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = marked(mark);
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(20);
  }
}

function hasMark(pid: string, mark: string): boolean {
  const of = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
  try {
    const state = of("stat").slice(of("stat").lastIndexOf(")") + 2)[0];
    return state !== "Z" && (of("environ").includes(mark) || of("cmdline").includes(mark));
  } catch {
    return false;
  }
}
