import { readdirSync } from "node:fs";
import { NotMeasured } from "./measure.mjs";

const HELP = `Measures what README and docs claim, as ratios against a reference measured in the same run.

  npm run bench                  all figures
  npm run bench -- decode        those whose name contains a word
  npm run bench -- --json        as JSON

Figures of the agent compare it with the official one, which the first run downloads (350 MB), and need Linux with network namespaces.
What can't be measured is listed as missing. The exit code is 0 if every figure is there and meets its target.`;

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(HELP);
  process.exit(0);
}
const json = args.includes("--json");
const words = args.filter((arg) => !arg.startsWith("-"));

const files = readdirSync(import.meta.dirname).filter(
  (file) => file.endsWith(".mjs") && !["run.mjs", "measure.mjs"].includes(file),
);
const modules = await Promise.all(files.map((file) => import(`./${file}`)));
const figures = modules
  .flatMap((module) => module.figures)
  .filter(({ name }) => words.every((word) => name.includes(word)));

const rows = [];
for (const figure of figures) {
  if (!json) process.stderr.write(`measuring: ${figure.name}\n`);
  rows.push(await toRow(figure));
}

if (json)
  console.log(
    JSON.stringify({ node: process.version, date: new Date().toISOString(), figures: rows }, null, 2),
  );
else print(rows);
process.exitCode = rows.every((row) => row.pass) ? 0 : 1;

async function toRow({ measure, reference: reference_name, better = "more", ...figure }) {
  const row = { ...figure, better, reference_name };
  try {
    const { ours, reference } = await measure();
    // Without a reference the target is the value itself.
    const judged = reference ? ours.median / reference.median : ours.median;
    const pass = better === "more" ? judged >= figure.target : judged <= figure.target;
    return { ...row, ours, ...(reference && { reference, ratio: judged }), pass };
  } catch (error) {
    if (!(error instanceof NotMeasured)) throw error;
    return { ...row, missing: error.message, pass: false };
  }
}

function print(all) {
  const spread = ({ median, min, max }) => `${round(median)} [${round(min)}–${round(max)}]`;
  const cells = all.map((row) => [
    row.name,
    ...(row.missing
      ? ["", "", ""]
      : [
          `${spread(row.ours)} ${row.unit}`,
          row.reference ? `${spread(row.reference)} ${row.unit}` : "",
          row.ratio?.toFixed(2) ?? "",
        ]),
    `${row.better === "more" ? "≥" : "≤"} ${row.target.toLocaleString("en")}`,
    row.missing ? `missing: ${row.missing}` : row.pass ? "pass" : "short",
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
