import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { replaceSection } from "../scripts/replace-section.mjs";
import { judge } from "./report/judge.mjs";
import { machine } from "./report/machine.mjs";
import { headlines, page } from "./report/markdown.mjs";
import { table } from "./report/table.mjs";

const HELP = `Measures what README and docs claim, against a reference measured in the same run.

  npm run bench                  all figures (takes a quarter of an hour)
  npm run bench -- agent Bash    only figures whose names contain these words
  npm run bench -- --list        the names of all figures
  npm run bench -- --json        as JSON
  npm run bench -- --write       all figures, also into docs/benchmarks.md and README.md

Figures of the agent compare it with the official agent, which the first run downloads (350 MB), and need Linux with network namespaces.
A figure that can't be measured is listed as missing. Exit codes: 0 if every figure meets its target, 1 if not, 2 for a usage error.`;

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  list: { type: "boolean" },
  json: { type: "boolean" },
  write: { type: "boolean" },
};

const PAGE = new URL("../docs/benchmarks.md", import.meta.url);
const README = new URL("../README.md", import.meta.url);

// A figure that was given up may still keep the process alive.
process.exit(await main());

async function main() {
  const { values, positionals: words } = options();
  if (values.help) return say(HELP);
  const figures = (await allFigures()).filter(({ name }) => words.every((word) => name.includes(word)));
  if (figures.length === 0) return refuse(`no figure matches: ${words.join(" ")}`);
  if (values.write && words.length > 0) return refuse("--write is for all figures: leave out the words");
  if (values.list) return say(figures.map(({ name }) => name).join("\n"));

  const run = { date: new Date().toISOString(), machine: machine(), figures: [] };
  for (const figure of figures) run.figures.push(await measured(figure, run.figures.length, figures.length));
  if (values.write) {
    writeFileSync(PAGE, page(run));
    writeFileSync(README, replaceSection(readFileSync(README, "utf8"), "figures", headlines(run)));
  }
  say(values.json ? JSON.stringify(run, undefined, 2) : table(run.figures));
  return run.figures.every(({ pass }) => pass) ? 0 : 1;
}

function options() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    process.exit(refuse(error.message));
  }
}

/** Every file next to this one exports figures, except those with shared code. */
async function allFigures() {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith(".mjs") && !["run.mjs", "measure.mjs"].includes(file),
  );
  const modules = await Promise.all(files.map((file) => import(`./${file}`)));
  return modules.flatMap((module) => module.figures);
}

async function measured(figure, before, count) {
  process.stderr.write(`[${before + 1}/${count}] ${figure.name} … `);
  const began = performance.now();
  const row = await judge(figure);
  const seconds = Math.round((performance.now() - began) / 1000);
  const verdict = row.missing ?? `${row.ratio.toFixed(2)}, ${row.pass ? "pass" : "short"}`;
  process.stderr.write(`${verdict} (${seconds} s)\n`);
  return row;
}

function say(text) {
  console.log(text);
  return 0;
}

function refuse(why) {
  console.error(`npm run bench: ${why}\nSee npm run bench -- --help.`);
  return 2;
}
