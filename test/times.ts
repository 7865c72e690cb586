/** Whether this is a run of `npm run soak:random`, which looks for what happens seldom. */
const isSoak = process.env.AGENTWIRE_SOAK !== undefined;

/** How often a test tries something at random: a few times with every change, and as often as it takes to find rare faults in the soak. */
export const times = (inSuite: number, inSoak: number): number => (isSoak ? inSoak : inSuite);

/** The test files that do; `npm run soak:random` runs them. */
export const RANDOM: readonly string[] = [
  "packages/agent/test/database/interleaving.test.ts",
  "packages/agent/test/database/kill.test.ts",
  "packages/agent/test/serve/dart/interleaving.test.ts",
  "packages/agent/test/serve/interleaving.test.ts",
  "packages/agent/test/serve/jsonrpc/interleaving.test.ts",
  "packages/agent/test/serve/kill.test.ts",
  "packages/agent/test/store/kill.test.ts",
  "packages/daemon/test/chaos/chaos.test.ts",
  "packages/daemon/test/cluster/faults.test.ts",
  "packages/protocol/test/dialect/round-trip.test.ts",
  "packages/protocol/test/lines/hostile-lines.test.ts",
];

/** What only the soak runs. */
export const ONLY_SOAKED: readonly string[] = ["packages/*/test/**/*.soak.ts", "test/**/*.soak.ts"];
