// Records the answers of the official agent's tools:
//   node scripts/record-tool-results.mjs
// The agent only ever runs without a network except the loopback interface.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path("../packages/conformance/bin/agentwire-conformance");
const VERSIONS = path("../test/versions");
const AGENT = join(
  VERSIONS,
  `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
);
const RECORDING = path("../packages/conformance/tool-results/claude-2.1.325.json");
const ISOLATED = ["--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

if (!existsSync(AGENT))
  spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: VERSIONS, stdio: ["ignore", "ignore", "inherit"] });
const record = [process.execPath, PROGRAM, "tools", "--record", RECORDING, "--", AGENT];
process.exitCode = spawnSync("unshare", [...ISOLATED, ...record], { stdio: "inherit" }).status ?? 1;
