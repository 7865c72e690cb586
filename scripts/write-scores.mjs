// Scores the official agent, the official SDK and ours, and writes the tables into docs/guides/conformance.md and README.md:
//   node scripts/write-scores.mjs
// The official agent only ever runs without a network except the loopback interface.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { installOfficialAgent } from "../bench/agent/official.mjs";
import { replaceSection } from "./replace-section.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const PROGRAM = path("../packages/conformance/bin/agentwire-conformance");
const ISOLATED = ["unshare", "--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

const official = await score(ISOLATED, "agent", [await installOfficialAgent()]);
const ours = await score([], "agent", [path("../packages/agent/bin/agentwire-agent")]);
const [sdk, query, session] = [
  await score([], "host", ["node", path("../test/interop/hosts/official.mjs")]),
  await score([], "host", ["node", path("../test/interop/hosts/agentwire.mjs")]),
  await score([], "host", ["node", path("../test/interop/hosts/agentwire-session.mjs")]),
];

replace("../docs/guides/conformance.md", {
  "agent-scores": agentScores(),
  "host-scores": hostScores(),
});
replace("../README.md", { scores: headlines() });

/** The JSON report about a program, regardless of its exit code. */
async function score(prefix, what, command) {
  const [program, ...args] = [
    ...prefix,
    process.execPath,
    PROGRAM,
    what,
    "--json",
    "--jobs",
    "2",
    "--",
    ...command,
  ];
  process.stderr.write(`scoring ${command.at(-1)} … `);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const report = JSON.parse(printed);
  process.stderr.write(`${of(report)}\n`);
  return report;
}

function replace(page, sections) {
  const file = new URL(page, import.meta.url);
  const replaced = Object.entries(sections).reduce(
    (whole, [name, body]) => replaceSection(whole, name, body),
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, replaced);
}

function of({ match, total }) {
  return `${match} of ${total}`;
}

/** The scores at the top of README, each with the command that reproduces it. */
function headlines() {
  const command = (words) => `\`agentwire conformance ${words}\``;
  return table(
    ["protocol conformance", "agentwire", "official", "measured by"],
    [
      [
        "our agent matches the recordings of the official CLI",
        of(ours),
        of(official),
        command("agent -- node_modules/.bin/agentwire-agent"),
      ],
      [
        "our sessions behave as a host should, even when agents fail",
        of(session),
        `SDK: ${of(sdk)}`,
        command("host -- node test/interop/hosts/agentwire-session.mjs"),
      ],
    ],
  );
}

function agentScores() {
  const columns = [
    ["theme", (theme) => theme],
    ["scenarios", count(ours)],
    ["official CLI 2.1.325", count(official, "match")],
    ["`agentwire-agent`", count(ours, "match")],
    ["on purpose", count(ours, "deviation")],
    ["gaps", count(ours, "mismatch")],
  ];
  const differing = (wanted) => ours.scenarios.filter(({ verdict }) => verdict === wanted).sort(byName);
  const gaps = differing("mismatch").map(({ scenario, hard }) => [`\`${scenario}\``, hard[0].text]);
  return `${themes(ours, columns)}
### Where our agent differs

On purpose:

${table(
  ["scenario", "why"],
  differing("deviation").map(({ scenario, why }) => [`\`${scenario}\``, why]),
)}
${gaps.length === 0 ? "In all other scenarios it does what the official CLI does." : `Because of missing features (the command exits with 1):\n\n${table(["scenario", "first difference"], gaps)}`}`;
}

function hostScores() {
  return themes(sdk, [
    ["theme", (theme) => theme],
    ["scenarios", count(sdk)],
    ["official SDK 0.3.325", count(sdk, "match")],
    ["our library in its place", count(query, "match")],
    ["our sessions", count(session, "match")],
  ]);
}

function byName({ scenario: a }, { scenario: b }) {
  return a < b ? -1 : 1;
}

/** The number of a theme's scenarios with a verdict; without a theme of all scenarios, without a verdict of all verdicts. */
function count({ scenarios }, verdict) {
  return (theme) =>
    scenarios.filter(
      (one) => (theme === "all" || one.theme === theme) && (verdict === undefined || one.verdict === verdict),
    ).length;
}

function themes({ scenarios }, columns) {
  const names = [...new Set(scenarios.map(({ theme }) => theme))].sort();
  return table(
    columns.map(([head]) => head),
    [...names, "all"].map((name) => columns.map(([, cell]) => cell(name))),
  );
}

function table(heads, rows) {
  return [heads, heads.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
}
