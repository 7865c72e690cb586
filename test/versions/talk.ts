import { fileURLToPath } from "node:url";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { bundled } from "../bundled.ts";

/**
 * Runs a program of this folder with an agent. Published agents only ever run where there is no network but the loopback interface;
 * and they need seconds of computing to start, so each waits for what other test files do with the same one.
 */
export async function runTalk(program: string, agent: string, more: readonly string[] = []) {
  const script = await bundled(fileURLToPath(new URL(program, import.meta.url)));
  return runInNamespace(script, [agent, ...more], agent);
}
