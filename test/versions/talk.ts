import { fileURLToPath } from "node:url";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { bundled } from "../bundled.ts";

/**
 * Runs a program of this folder with an agent. Published agents only ever run without a network except the loopback interface. They need
 * seconds of CPU time to start, so each waits while other test files use the same agent.
 */
export async function runTalk(program: string, agent: string, more: readonly string[] = []) {
  const script = await bundled(fileURLToPath(new URL(program, import.meta.url)));
  return runInNamespace(script, [agent, ...more], agent);
}
