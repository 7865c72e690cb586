import { StoreError } from "@agentwire/daemon";
import { examineServer, type ServerFacts } from "@agentwire/daemon/store";
import { type Finding, ok, problem, warning } from "./finding.ts";

const OLDEST = 150_000;
/** From how many milliseconds on people should know. */
const FAR_MS = 20;
const SKEW_MS = 2000;

/** Looks at the PostgreSQL server that a daemon is told to use. */
export async function examineStoreServer(url: string): Promise<readonly Finding[]> {
  try {
    return judge(await examineServer(url));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      problem(
        "server",
        error.message,
        "check store.url, --store or AGENTWIRE_STORE, and that the server runs",
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
    version < OLDEST
      ? problem("server", `PostgreSQL ${versionName} is too old`, "use 15 or later")
      : ok("server", `PostgreSQL ${versionName}, ${latencyMs.toFixed(1)} ms away, ${followed}`),
    ...(mayCreate
      ? []
      : [problem("server", "the user can't create tables", "GRANT CREATE ON SCHEMA public TO the user")]),
    ...(isStandby
      ? [problem("server", "it is a standby and accepts no writes", "give the address of the primary")]
      : []),
    ...(synchronousCommit === "off"
      ? [
          problem(
            "server",
            "synchronous_commit is off: what was acknowledged could be lost",
            "ALTER SYSTEM SET synchronous_commit = on",
          ),
        ]
      : []),
    ...(Math.abs(aheadMs) > SKEW_MS
      ? [
          warning(
            "server",
            `its clock is ${Math.abs(aheadMs / 1000).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`,
            "leases count by the server's clock and are not affected; times in events are",
          ),
        ]
      : []),
    ...(latencyMs > FAR_MS
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
