import { readdirSync } from "node:fs";
import { pause } from "./random.mjs";

const EVERY_MS = 1000;

/** Samples the daemon once a second until aborted. */
export async function sample(looked, counts, tell, signal) {
  const samples = [];
  const began = performance.now();
  while (!signal.aborted) {
    samples.push({ seconds: (performance.now() - began) / 1000, ...(await looked()), ...counts });
    tell(samples);
    await pause(EVERY_MS, signal);
  }
  return samples;
}

/** The daemon's current resources. */
export async function look(trial, { filesPerSession }) {
  const metrics = await trial.metrics();
  const files = readdirSync(`/proc/${trial.pid}/fd`).length;
  const agents = metrics.get("agentwire_processes");
  return {
    megabytes: metrics.get("process_resident_memory_bytes") / 1_048_576,
    heap: metrics.get("nodejs_heap_size_used_bytes") / 1_048_576,
    files,
    ownFiles: files - filesPerSession * agents,
    ...sharedMemory(metrics),
    agents,
    clients: metrics.get("agentwire_clients"),
    delay: metrics.get('agentwire_event_loop_delay_seconds{quantile="0.99"}') * 1000,
    events: metrics.get("agentwire_events_total"),
  };
}

/** The memory of shared processes, if there are any. */
function sharedMemory(metrics) {
  const sizes = [...metrics].filter(([name]) => name.startsWith("agentwire_shared_process_memory_bytes"));
  if (sizes.length === 0) return {};
  return { sharedMegabytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1_048_576 };
}
