import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";

/** How long an agent whose host has gone may take to go too. */
const PATIENCE_MS = 3000;

/** The processes that still carry the marker in their environment after a moment's patience; ends them. */
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
    // It went by itself, or with the one before it.
  }
}

/** Every such process as `pid command`. */
function processesWith(marker: string): readonly string[] {
  const all = execFileSync("ps", ["axeww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 1 << 28 });
  return all.split("\n").filter((line) => line.includes(marker));
}
