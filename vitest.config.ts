import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { OWN_SOURCES } from "./scripts/own-sources.mjs";
import { withoutExtraCertificates } from "./test/extra-certificates.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { QUICK } from "./test/quick.ts";
import { ONLY_SOAKED, RANDOM } from "./test/times.ts";

/** Only what starts no process. */
const isQuick = process.env.AGENTWIRE_QUICK !== undefined;
/** Only what tries something at random, more often than otherwise. */
const isSoak = process.env.AGENTWIRE_SOAK !== undefined;

const ALL = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"];

withoutExtraCertificates();

export default defineConfig({
  resolve: {
    // Whole names only: a package's name is also the beginning of its subpaths.
    alias: Array.from(OWN_SOURCES, ([name, source]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source,
    })),
  },
  test: {
    include: [...(isQuick ? QUICK : isSoak ? [...RANDOM, ...ONLY_SOAKED] : ALL)],
    setupFiles: ["test/fast-check.setup.ts", ...(isQuick ? ["test/no-process.setup.ts"] : [])],
    ...(!isQuick && { globalSetup: ["test/leftovers.setup.ts", "test/postgres.setup.ts"] }),
    // Starting a process copies the page tables of the one that starts it: 2 ms from a small process, 40 ms from one of 500 MB. All
    // threads are in one process, which grows with every file.
    pool: "forks",
    // Most tests wait for processes or for time to pass: two workers for each core keep the cores busy.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    isolate: false,
    // Real processes on a busy machine take their time; a hang is noticed all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
