import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";

/** How long an agent may take to exit after its host. */
const PATIENCE_MS = 3000;

/** Waits a moment, then returns and ends the processes that still have the marker in their environment. */
export async function leftovers(marker: string): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  let left = processesWith(marker);
  while (left.length > 0 && performance.now() < deadline) {
    await setTimeout(20);
    left = processesWith(marker);
  }
  for (const line of left) kill(Number.parseInt(line, 10));
  return left;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself or together with the previous one.
  }
}

/** Every such process as `pid command`. */
function processesWith(marker: string): readonly string[] {
  const all = execFileSync("ps", ["axeww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 1 << 28 });
  return all.split("\n").filter((line) => line.includes(marker));
}
