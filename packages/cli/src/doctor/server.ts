import { StoreError } from "@agentwire/daemon";
import { examineServer, type ServerFacts } from "@agentwire/daemon/store";
import { type Finding, ok, problem, warning } from "./finding.ts";

const MIN_VERSION = 150_000;
/** A longer round trip is a warning. */
const MAX_LATENCY_MS = 20;
const MAX_SKEW_MS = 2000;

/** Checks the PostgreSQL server that the daemon is configured to use. */
export async function examineStoreServer(url: string): Promise<readonly Finding[]> {
  try {
    return judge(await examineServer(url));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      problem(
        "server",
        error.message,
        "check store.url, --store or AGENTWIRE_STORE, and that the server is running",
      ),
    ];
  }
}

function judge(facts: ServerFacts): readonly Finding[] {
  const { version, versionName, mayCreate, aheadMs, latencyMs, isStandby, synchronousCommit } = facts;
  const { standbys, synchronousStandbys } = facts;
  const followed =
    standbys === 0
      ? "no standby"
      : `${standbys} ${standbys === 1 ? "standby" : "standbys"}, ${synchronousStandbys} synchronous`;
  return [
    version < MIN_VERSION
      ? problem("server", `PostgreSQL ${versionName} is too old`, "use 15 or later")
      : ok("server", `PostgreSQL ${versionName}, ${latencyMs.toFixed(1)} ms away, ${followed}`),
    ...(mayCreate
      ? []
      : [problem("server", "the user can't create tables", "GRANT CREATE ON SCHEMA public TO the user")]),
    ...(isStandby
      ? [problem("server", "it is a standby and accepts no writes", "use the address of the primary")]
      : []),
    ...(synchronousCommit === "off"
      ? [
          problem(
            "server",
            "synchronous_commit is off: acknowledged data could be lost",
            "ALTER SYSTEM SET synchronous_commit = on",
          ),
        ]
      : []),
    ...(Math.abs(aheadMs) > MAX_SKEW_MS
      ? [
          warning(
            "server",
            `its clock is ${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`,
            "leases use the server's clock and are not affected, but event times are",
          ),
        ]
      : []),
    ...(latencyMs > MAX_LATENCY_MS
      ? [
          warning(
            "server",
            `a round trip takes ${latencyMs.toFixed(0)} ms, and every commit waits for one`,
            "move it closer to the nodes",
          ),
        ]
      : []),
  ];
}
