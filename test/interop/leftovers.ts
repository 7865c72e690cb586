import { setTimeout } from "node:timers/promises";
import { processesWith } from "../../packages/agent/test/place.ts";

/** How long an agent may take to exit after its host. */
const PATIENCE_MS = 3000;

/** Waits a moment, then returns and ends the processes that still have this entry in their environment. */
export async function leftovers(entry: string): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  let left = processesWith(entry);
  while (left.length > 0 && performance.now() < deadline) {
    await setTimeout(20);
    left = processesWith(entry);
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
