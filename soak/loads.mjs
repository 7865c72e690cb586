import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withTrial } from "../bench/daemon/trial.mjs";
import { withSharing } from "../bench/density/sharing.mjs";

const TINY = fileURLToPath(new URL("../packages/daemon/test/chaos/tiny-agent.mjs", import.meta.url));

/** A small agent that writes what its prompt says, with a process for each session. */
export const alone = {
  withDaemon: (use) =>
    withTrial(
      {
        agents: { tiny: { path: TINY } },
        settings: {
          max_processes: 40,
          spare_processes: 0,
          idle_seconds: 30,
          max_requests_per_second: 1_000_000,
        },
      },
      use,
    ),
  /** Its stdin, stdout and stderr. */
  filesPerSession: 3,
  pauseMs: [2000, 20_000],
  killMs: [500, 5500],
  /** The number of deltas, and the length of each. */
  words(random) {
    if (random.chance(0.002)) return "talk 1 12000000";
    if (random.chance(0.03)) return "talk 2 200000";
    return `${random.chance(0.25) ? "ask" : "talk"} ${random.between(1, 40)}`;
  },
  victims: async ({ folder }) => processesOf(folder),
};

/** Our own agent with the bench's API, in shared processes. Whether sessions are parked between prompts depends on timing. */
export const shared = {
  withDaemon: (use) => withSharing({ perProcess: 125, settings: { idle_seconds: 60 } }, use),
  /** The connection to its process. */
  filesPerSession: 1,
  pauseMs: [20_000, 200_000],
  killMs: [20_000, 60_000],
  words(random) {
    if (random.chance(0.1)) return `stream ${random.between(100, 2000)} 200`;
    return random.pick(["ask", "tool", "tool", "talk"]);
  },
  victims: async (trial) =>
    [...(await trial.metrics()).keys()].flatMap((name) => {
      const [, pid] = /^agentwire_shared_process_sessions\{pid="(\d+)"\}$/.exec(name) ?? [];
      return pid === undefined ? [] : [Number(pid)];
    }),
};

/** The processes that work in a daemon's folder or have it in their command lines, except the daemon itself. */
export function processesOf(folder) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (line.includes("--foreground")) return false;
        return readlinkSync(`/proc/${pid}/cwd`) === folder || line.includes(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
