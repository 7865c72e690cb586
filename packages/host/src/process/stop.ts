import { within } from "@agentwire/protocol/support";
import type { AgentProcess } from "./process.ts";

/** Whether a process is gone within a time. */
export function isGoneWithin(process: AgentProcess, ms: number): Promise<boolean> {
  return within(ms, async () => {
    await process.gone;
  });
}

/** Ends a process whose input has ended: a grace period, TERM, KILL. Resolves with false if even that did not end it. */
export async function stopProcess(
  process: AgentProcess,
  graceMs: number,
  terminateMs: number,
): Promise<boolean> {
  if (await isGoneWithin(process, graceMs)) return true;
  process.terminate();
  if (await isGoneWithin(process, terminateMs)) return true;
  process.kill();
  return await isGoneWithin(process, terminateMs);
}
