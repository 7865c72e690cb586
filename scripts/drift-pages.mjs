import { readdirSync, readFileSync } from "node:fs";
import { diffContracts } from "@agentwire/conformance/drift";
import { compareVersions, parseVersion } from "@agentwire/protocol/compatibility";

const CONTRACTS = new URL("../packages/conformance/contracts/", import.meta.url);

const SECTIONS = [
  ["flag", "Flags"],
  ["capability", "Capabilities"],
  ["tool", "Tools"],
  ["request", "Requests of the host"],
  ["message", "Messages"],
  ["field", "Fields"],
  ["ordering", "Orders"],
];

/** The pages of docs/drift, by file name: the changes from each recorded version of the official agent to the next. */
export function driftPages() {
  const contracts = readdirSync(CONTRACTS)
    .map((file) => JSON.parse(readFileSync(new URL(file, CONTRACTS), "utf8")))
    .sort((a, b) => compareVersions(parseVersion(a.agent), parseVersion(b.agent)));
  const drifts = contracts.slice(1).map((after, index) => diffContracts(contracts[index], after));
  return new Map([
    ["README.md", overview(contracts, drifts)],
    ...drifts.map((drift) => [fileOf(drift), page(drift)]),
  ]);
}

const versionOf = ({ agent }) => agent.split(" ")[0];
const fileOf = ({ before, after }) => `${versionOf(before)}-to-${versionOf(after)}.md`;

function overview(contracts, drifts) {
  const rows = contracts.map((contract, index) => {
    const side = drifts[index]?.before ?? drifts[index - 1]?.after;
    const answered = Object.values(contract.requests).filter((fate) => fate !== "no answer").length;
    const cells = [
      versionOf(contract),
      `\`${side.dialect}\``,
      contract.flags.length,
      Object.keys(contract.messages).length,
      `${answered} of ${Object.keys(contract.requests).length}`,
      contract.asksHost ? "yes" : "no",
      side.unnamed.length,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const links = drifts.map(
    (drift) =>
      `- [${versionOf(drift.before)} to ${versionOf(drift.after)}](${fileOf(drift)}): ${count(drift)}`,
  );
  return `# What changed between versions of the official agent

Made by \`npm run docs\` from the contracts in \`packages/conformance/contracts\`, which \`agentwire-conformance record\` wrote in the same scenarios.

| version | our dialect for it | flags | kinds of messages | requests answered | asks its host | not named by our schemas |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

${links.join("\n")}
- [The newest versions in npm](newest.md) beside the newest that are known here: \`node scripts/watch-drift.mjs\` looks every day
`;
}

function count({ changes }) {
  const of = (how) => changes.filter((change) => change.how === how).length;
  return `${of("added")} added, ${of("removed")} removed, ${of("changed")} changed`;
}

function page(drift) {
  const { before, after, changes } = drift;
  const sections = SECTIONS.map(([what, title]) =>
    section(
      title,
      changes.filter((change) => change.what === what),
    ),
  );
  return `# ${versionOf(before)} to ${versionOf(after)}

${count(drift)}. We speak with ${versionOf(before)} in the dialect \`${before.dialect}\`, with ${versionOf(after)} in \`${after.dialect}\`.

${sections.filter(Boolean).join("\n")}
## What our schemas do not name

It is passed on as it is.

${unnamed(before)}
${unnamed(after)}`;
}

function section(title, changes) {
  if (changes.length === 0) return "";
  const plain = changes.every(({ before, after }) => !before && !after);
  return `## ${title}\n\n${plain ? lists(changes) : table(changes)}`;
}

function lists(changes) {
  const entry = ({ name, schema }) => `\`${name}\`${schema ? ` (${schema})` : ""}`;
  const list = (how) => changes.filter((change) => change.how === how).map(entry);
  return ["added", "removed"]
    .filter((how) => list(how).length > 0)
    .map((how) => `${how[0].toUpperCase()}${how.slice(1)}: ${list(how).join(", ")}.\n`)
    .join("\n");
}

function table(changes) {
  const rows = changes.map(({ how, name, before = "", after = "", schema = "" }) =>
    [how, `\`${name}\``, cell(before), cell(after), schema].join(" | "),
  );
  return `| | | before | after | our schemas |\n| --- | --- | --- | --- | --- |\n${rows.map((row) => `| ${row} |\n`).join("")}`;
}

const cell = (text) => text.replaceAll("|", "or");

function unnamed({ agent, unnamed: names }) {
  const listed = names.map((name) => `\`${name}\``).join(", ");
  return `${agent.split(" ")[0]}: ${names.length === 0 ? "nothing" : listed}.\n`;
}
