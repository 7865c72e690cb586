// Installs the newest official agent, records its contract, compares it with the newest that is known here, and prints a report in Markdown:
//   node scripts/watch-drift.mjs > report.md
// Ends with 1 where something changed. The agent only ever runs where there is no network but the loopback interface.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path("../packages/conformance/bin/agentwire-conformance");
const CONTRACTS = path("../packages/conformance/contracts");
const ISOLATED = ["--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const PACKAGE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

const folder = mkdtempSync(join(tmpdir(), "agentwire-drift-"));
try {
  process.exitCode = await report();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function report() {
  const known = newestContract();
  execFileSync("npm", ["install", "--prefix", folder, "--no-fund", "--no-audit", `${PACKAGE}@latest`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const agent = join(folder, "node_modules", PACKAGE, "claude");
  const version = execFileSync(agent, ["--version"], { encoding: "utf8" }).split(" ")[0];
  const contract = join(folder, `claude-${version}.json`);
  writeFileSync(contract, (await isolated(["record", "--jobs", "2", "--", agent])).printed);
  const score = await isolated(["agent", "--jobs", "2", "--", agent]);
  const diff = await conformance(process.execPath, [PROGRAM, "diff", join(CONTRACTS, known), contract]);
  const title = `# Drift: ${known.replace(/\.json$/, "")} to claude-${version}`;
  process.stdout.write(`${title}\n\n## The contract\n\n${fenced(diff.printed)}\n`);
  process.stdout.write(`## The recordings\n\n${fenced(score.printed)}\n`);
  return diff.code === 0 && score.code === 0 ? 0 : 1;
}

function newestContract() {
  const versionOf = (name) => /\d+(?:\.\d+)+/.exec(name)?.[0] ?? "";
  const names = readdirSync(CONTRACTS).filter((name) => name.startsWith("claude-"));
  return names.sort((a, b) => versionOf(a).localeCompare(versionOf(b), "en", { numeric: true })).at(-1);
}

const isolated = (args) => conformance("unshare", [...ISOLATED, process.execPath, PROGRAM, ...args]);

async function conformance(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code === 2) throw new Error(`${args.slice(-4).join(" ")} could not be run`);
  return { printed, code };
}

const fenced = (body) => `\`\`\`text\n${body.trim() || "no difference"}\n\`\`\`\n`;
