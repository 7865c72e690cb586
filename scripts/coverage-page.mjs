import { protocolCoverage } from "@agentwire/conformance/drift";

/** The page that lists which scenarios exercise each name, by kind, and why some names have none. */
export async function coveragePage() {
  const covered = await protocolCoverage();
  const kinds = [...new Set(covered.map(({ kind }) => kind))];
  const exercised = covered.filter(({ scenarios }) => scenarios.length > 0);
  return `# What the scenarios exercise

Made by \`npm run docs\` from the schemas and the recordings; \`agentwire conformance coverage\` prints the same.
${exercised.length} of ${covered.length} names of the protocol have a scenario.

## Not covered

| | name | why |
| --- | --- | --- |
${rows(
  covered,
  ({ scenarios }) => scenarios.length === 0,
  ({ kind, name, why }) => [kind, `\`${name}\``, why],
)}
${kinds.map((kind) => section(kind, covered)).join("\n")}`;
}

function section(wanted, covered) {
  const isOfKind = ({ kind, scenarios }) => kind === wanted && scenarios.length > 0;
  const title = `${wanted[0].toUpperCase()}${wanted.slice(1)}`;
  return `## ${title}

| name | scenarios |
| --- | --- |
${rows(covered, isOfKind, ({ name, scenarios }) => [`\`${name}\``, some(scenarios)])}`;
}

const rows = (covered, wanted, cells) =>
  covered
    .filter(wanted)
    .map((one) => `| ${cells(one).join(" | ")} |\n`)
    .join("");

const SHOWN = 4;

function some(scenarios) {
  const more = scenarios.length > SHOWN ? ` and ${scenarios.length - SHOWN} more` : "";
  return scenarios.slice(0, SHOWN).join(", ") + more;
}
