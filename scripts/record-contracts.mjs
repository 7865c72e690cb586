// Records the contracts of published versions of the official agent: node scripts/record-contracts.mjs <folder with node_modules>
// The agents only ever run where there is no network but the loopback interface.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../packages/conformance/bin/agentwire-conformance", import.meta.url));
const CONTRACTS = new URL("../packages/conformance/contracts/", import.meta.url);
const ISOLATED = ["--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

const modules = resolve(process.argv[2] ?? "packages/daemon/test/versions", "node_modules");
const names = [...readdirSync(modules).filter((name) => name.startsWith("claude-")), NATIVE];

for (const name of names) {
  const folder = join(modules, name);
  const { version, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Packages of today hold the program itself, made for one platform; before, it was a script.
  const agent = bin?.claude ? [process.execPath, join(folder, bin.claude)] : [join(folder, "claude")];
  process.stderr.write(`\n${version}\n`);
  const record = [process.execPath, PROGRAM, "record", "--fast", "--jobs", "2", "--", ...agent];
  const child = spawn("unshare", [...ISOLATED, ...record], { stdio: ["ignore", "pipe", "inherit"] });
  const [contract, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`recording ${version} failed (${code})`);
  writeFileSync(new URL(`claude-${version}.json`, CONTRACTS), contract);
}
