import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runInNamespace } from "../bench/agent/namespace.mjs";
import { AGENTS, areInstalled } from "./acp/agents.mjs";
import { STEPS, writeTable } from "./acp/table.mjs";

const HELP = `Drives published agents of the Agent Client Protocol through a daemon, with a scripted API and without a network except the
loopback interface: start, a tool with a question, a cancellation, the next turn, a restart of the daemon, a crash of the agent; with the
console open in a browser (Chromium). Then scores each with agentwire-conformance acp-agent, and writes the table of docs/guides/editors.md.

  npm run soak:acp                     all agents: ${Object.keys(AGENTS).join(", ")}
  npm run soak:acp -- gemini qwen      only these
  npm run soak:acp -- --no-score       without the scores and the table

The first run installs them (2 GB) below soak/acp. Needs Linux with unshare. Exit codes: 0 if everything works, 1 if not, 2 for a usage error.`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
for (const name of positionals)
  if (!Object.hasOwn(AGENTS, name))
    fail(`unknown agent ${name}; choose one of ${Object.keys(AGENTS).join(", ")}`);
if (!areInstalled()) {
  process.stderr.write("installing the agents, once (npm ci)\n");
  const flags = ["--ignore-scripts", "--engine-strict=false"];
  execFileSync("npm", ["ci", ...flags], { cwd: here("acp"), stdio: ["ignore", "ignore", "inherit"] });
}

const names = positionals.length > 0 ? positionals : Object.keys(AGENTS);
process.stdout.write(`${row(["agent", ...STEPS, ...(values["no-score"] ? [] : ["score"])])}`);
const outcomes = {};
for (const name of names) {
  const said = await runInNamespace(here("acp/talk.mjs"), [name]);
  const score = values["no-score"] ? undefined : await runInNamespace(here("acp/score.mjs"), [name]);
  outcomes[name] = { said, score };
  const isGood = (step) => said[step] === true;
  process.stdout.write(
    row([
      name,
      ...STEPS.map((step) => (isGood(step) ? "yes" : "no")),
      ...(score ? [`${score.match}/${score.total}`] : []),
    ]),
  );
  if (said.failure) process.stdout.write(`  ${said.failure}\n`);
  for (const step of STEPS)
    if (!isGood(step)) process.stdout.write(`  ${step}: ${JSON.stringify(said[step] ?? null)}\n`);
  for (const { scenario, problems } of score?.problems ?? [])
    process.stdout.write(`  ${scenario}: ${problems.join("; ").slice(0, 300)}\n`);
  if (!STEPS.every(isGood)) process.exitCode = 1;
}
if (!values["no-score"]) writeTable(outcomes);

function row(cells) {
  return `${cells
    .map((cell) => cell.padEnd(9))
    .join(" ")
    .trimEnd()}\n`;
}

function readArguments() {
  try {
    const options = {
      help: { type: "boolean", short: "h" },
      "no-score": { type: "boolean", default: false },
    };
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(text) {
  process.stderr.write(`soak:acp: ${text}\n`);
  process.exit(2);
}
