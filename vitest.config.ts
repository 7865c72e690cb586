import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@agentwire/protocol": source("protocol"),
      "@agentwire/host": source("host"),
      "@agentwire/api": source("api"),
      "@agentwire/conformance": source("conformance"),
      "@agentwire/daemon": source("daemon"),
    },
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
