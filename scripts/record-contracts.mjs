// Records the contracts of published versions of the official agent, and writes the changes between them into docs/drift:
//   node scripts/record-contracts.mjs [version…]
// The agents only ever run without a network except the loopback interface.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path("../packages/conformance/bin/agentwire-conformance");
const CONTRACTS = path("../packages/conformance/contracts");
const VERSIONS = path("../test/versions");
const ISOLATED = ["--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

const wanted = process.argv.slice(2);
for (const { version, command } of agents()) {
  if (wanted.length > 0 && !wanted.includes(version)) continue;
  process.stderr.write(`\n${version}\n`);
  const record = [process.execPath, PROGRAM, "record", "--jobs", "2", "--", ...command];
  const child = spawn("unshare", [...ISOLATED, ...record], { stdio: ["ignore", "pipe", "inherit"] });
  const [contract, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`recording ${version} failed (${code})`);
  writeFileSync(join(CONTRACTS, `claude-${version}.json`), contract);
}
await import("./write-docs.mjs");

/** The published versions that the tests use too, installed if they are missing. */
function agents() {
  const modules = join(VERSIONS, "node_modules");
  if (!existsSync(join(modules, NATIVE)))
    spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: VERSIONS, stdio: ["ignore", "ignore", "inherit"] });
  const names = [...readdirSync(modules).filter((name) => name.startsWith("claude-")), NATIVE];
  return names.map((name) => {
    const folder = join(modules, name);
    const { version, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    // Current packages contain the program itself, built for one platform; earlier ones contained a script.
    const command = bin?.claude ? [process.execPath, join(folder, bin.claude)] : [join(folder, "claude")];
    return { version, command };
  });
}
