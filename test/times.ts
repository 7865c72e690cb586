/** Whether this is a run of `npm run soak:random`, which looks for rare faults. */
const isSoak = process.env.AGENTWIRE_SOAK !== undefined;

/** How many random trials a test makes: a few for each change, and in the soak enough to find rare faults. */
export const times = (inSuite: number, inSoak: number): number => (isSoak ? inSoak : inSuite);

/** The test files that make random trials; `npm run soak:random` runs them. */
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

/** Tests that only the soak runs. */
export const ONLY_SOAKED: readonly string[] = ["packages/*/test/**/*.soak.ts", "test/**/*.soak.ts"];
