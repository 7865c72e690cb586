import { readdirSync } from "node:fs";

const HELP = `Measures what README and docs claim, as ratios against a reference measured in the same run.

  npm run bench                  all figures
  npm run bench -- decode        those whose name contains a word
  npm run bench -- --json        as JSON`;

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(HELP);
  process.exit(0);
}
const json = args.includes("--json");
const words = args.filter((arg) => !arg.startsWith("-"));

const files = readdirSync(import.meta.dirname).filter((file) => !["run.mjs", "measure.mjs"].includes(file));
const modules = await Promise.all(files.map((file) => import(`./${file}`)));
const figures = modules
  .flatMap((module) => module.figures)
  .filter(({ name }) => words.every((word) => name.includes(word)));

const rows = [];
for (const { measure, ...figure } of figures) {
  if (!json) process.stderr.write(`measuring: ${figure.name}\n`);
  const { ours, reference } = await measure();
  const ratio = ours.median / reference.median;
  rows.push({
    ...figure,
    reference_name: figure.reference,
    ours,
    reference,
    ratio,
    pass: ratio >= figure.target,
  });
}

if (json)
  console.log(
    JSON.stringify({ node: process.version, date: new Date().toISOString(), figures: rows }, null, 2),
  );
else print(rows);
process.exitCode = rows.every((row) => row.pass) ? 0 : 1;

function print(all) {
  const spread = ({ median, min, max }) => `${round(median)} [${round(min)}–${round(max)}]`;
  const cells = all.map((row) => [
    row.name,
    `${spread(row.ours)} ${row.unit}`,
    `${spread(row.reference)} ${row.unit}`,
    row.ratio.toFixed(2),
    `≥ ${row.target}`,
    row.pass ? "pass" : "short",
  ]);
  const table = [["figure", "agentwire", "reference", "ratio", "target", ""], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}

function round(value) {
  return Number(value.toPrecision(3)).toLocaleString("en");
}
