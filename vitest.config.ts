import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { OWN_SOURCES } from "./scripts/own-sources.mjs";

export default defineConfig({
  resolve: {
    // Whole names only: a package's name is also the beginning of its subpaths.
    alias: Array.from(OWN_SOURCES, ([name, source]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source,
    })),
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/fast-check.setup.ts"],
    pool: "threads",
    // Most tests wait for processes: one worker for each core keeps the cores busy, and vitest would take one less.
    maxWorkers: Math.max(2, availableParallelism()),
    isolate: false,
    // Real processes on a busy machine take their time; a hang is noticed all the same.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", ["json", { outputFile: "test-report.json" }]] : ["default"],
  },
});
