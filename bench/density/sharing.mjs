import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { withTrial } from "../daemon/trial.mjs";

/** Calls a function with a daemon whose sessions of our own agent share processes and use a local API. */
export async function withSharing({ perProcess, settings = {} }, use) {
  const api = fork(new URL("api.mjs", import.meta.url));
  const [url] = await once(api, "message");
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "bench" };
  try {
    return await withTrial(
      {
        agents: { agentwire: { sessions_per_process: perProcess, env } },
        settings: {
          max_processes: 10_000,
          spare_processes: 0,
          idle_seconds: 3600,
          max_requests_per_second: 1_000_000,
          trusted_folders: [tmpdir()],
          ...settings,
        },
      },
      use,
    );
  } finally {
    const exited = once(api, "exit");
    api.disconnect();
    await exited;
  }
}
