// Installs the newest official agent and SDK, records the agent's contract, compares both with the newest versions that are recorded here,
// scores them, and prints a report in Markdown:
//   node scripts/watch-drift.mjs > docs/drift/newest.md
// Exits with 1 if something changed. The agent only ever runs without a network except the loopback interface.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path("../packages/conformance/bin/agentwire-conformance");
const CONTRACTS = path("../packages/conformance/contracts");
const HOSTS = path("../test/interop/hosts");
const KNOWN_SDK = path("../test/interop/package.json");
const ISOLATED = ["--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const AGENT = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
const SDK = "@anthropic-ai/claude-agent-sdk";

const folder = mkdtempSync(join(tmpdir(), "agentwire-drift-"));
try {
  const agent = await compareAgents();
  const sdk = await compareSdks();
  process.stdout.write(`# Drift: ${agent.title}, ${sdk.title}\n\n`);
  process.stdout.write(
    `Written on ${new Date().toISOString().slice(0, 10)} by \`node scripts/watch-drift.mjs\`, which a workflow runs every day.\n\n`,
  );
  process.stdout.write([...agent.sections, ...sdk.sections].join("\n"));
  process.exitCode = agent.isSame && sdk.isSame ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareAgents() {
  const known = newestContract();
  const agent = join(installed("agent", `${AGENT}@latest`), AGENT, "claude");
  const version = execFileSync("unshare", [...ISOLATED, agent, "--version"], { encoding: "utf8" }).split(
    " ",
  )[0];
  const contract = join(folder, `claude-${version}.json`);
  writeFileSync(contract, (await isolated(["record", "--jobs", "2", "--", agent])).printed);
  const score = await isolated(["agent", "--jobs", "2", "--", agent]);
  const diff = await conformance(process.execPath, [PROGRAM, "diff", join(CONTRACTS, known), contract]);
  return {
    title: `agent ${known.replace(/^claude-|\.json$/g, "")} to ${version}`,
    sections: [
      section("The agent: its contract", diff.printed),
      section("The agent: the recordings", withoutMatches(score.printed)),
    ],
    isSame: diff.code === 0 && score.code === 0,
  };
}

async function compareSdks() {
  const { dependencies } = JSON.parse(readFileSync(KNOWN_SDK, "utf8"));
  const known = sdkOf(installed("known-sdk", `${SDK}@${dependencies[SDK]}`));
  const modules = installed("sdk", `${SDK}@latest`, `zod@${dependencies.zod}`);
  const newest = sdkOf(modules);
  const hosts = join(folder, "sdk", "hosts");
  cpSync(HOSTS, hosts, { recursive: true });
  const score = await isolated(["host", "--jobs", "2", "--", "node", join(hosts, "official.mjs")]);
  const changes = [
    ...[...newest.names].filter((name) => !known.names.has(name)).map((name) => `added    ${name}`),
    ...[...known.names].filter((name) => !newest.names.has(name)).map((name) => `removed  ${name}`),
    ...(newest.types === known.types ? [] : ["changed  its declarations (sdk.d.ts)"]),
  ];
  return {
    title: `SDK ${known.version} to ${newest.version}`,
    sections: [
      section("The SDK: what it exports", changes.join("\n")),
      section("The SDK: how it copes with agents", withoutMatches(score.printed)),
    ],
    isSame: changes.length === 0,
  };
}

/** The exports of an installed SDK, according to its declarations. */
function sdkOf(modules) {
  const at = join(modules, SDK);
  const types = readFileSync(join(at, "sdk.d.ts"), "utf8");
  const { version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const names = types.matchAll(/^export (?:declare )?(?:type|interface|function|class|const) (\w+)/gm);
  return { version, types, names: new Set(Array.from(names, ([, name]) => name)) };
}

/** Installs packages in a separate folder; returns the folder of the packages. */
function installed(name, ...packages) {
  const prefix = join(folder, name);
  mkdirSync(prefix);
  const flags = ["--no-fund", "--no-audit", "--omit=optional"];
  execFileSync("npm", ["install", "--prefix", prefix, ...flags, ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(prefix, "node_modules");
}

function newestContract() {
  const versionOf = (name) => /\d+(?:\.\d+)+/.exec(name)?.[0] ?? "";
  const names = readdirSync(CONTRACTS).filter((name) => name.startsWith("claude-"));
  return names.sort((a, b) => versionOf(a).localeCompare(versionOf(b), "en", { numeric: true })).at(-1);
}

function isolated(args) {
  return conformance("unshare", [...ISOLATED, process.execPath, PROGRAM, ...args]);
}

async function conformance(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code === 2) throw new Error(`${args.slice(-4).join(" ")} could not be run`);
  return { printed, code };
}

/** A score without the scenarios that match. */
function withoutMatches(printed) {
  return printed.replace(/^match .*\n/gm, "");
}

function section(title, body) {
  return `## ${title}\n\n\`\`\`text\n${body.trim() || "no difference"}\n\`\`\`\n`;
}
