import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { plot } from "./plot.mjs";
import { isGood, page, progress } from "./report.mjs";
import { soak } from "./soak.mjs";

const HELP = `Runs a daemon under load for a while: 50 sessions, 20 clients that come and go, agents that are killed at random, prompts, questions,
large replies. Then looks whether anything was lost and whether memory and open files have grown.

  npm run soak                         20 minutes
  npm run soak -- --minutes 2          so many
  npm run soak -- --seed 7             the same random choices again
  npm run soak -- --out some/folder    soak.md and soak.svg go there, not into docs/

Ctrl-C ends the load early, and the report is still written. Needs Linux. Exit: 0 nothing was lost and nothing has grown, 1 otherwise, 2 wrong usage.`;

const DOCS = fileURLToPath(new URL("../docs", import.meta.url));
const SIZES = { sessions: 50, clients: 20 };
const TELL_EVERY = 10;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) fail("--minutes and --seed take a number");

const over = new AbortController();
process.once("SIGINT", () => over.abort());
const tell = {
  phase: (text) => process.stderr.write(`${text}\n`),
  progress: (samples) => {
    if (samples.length % TELL_EVERY === 0) process.stderr.write(progress(samples, minutes));
  },
};
const date = new Date().toISOString();
const result = await soak({ minutes, seed, sizes: SIZES, tell }, over.signal);
const run = {
  ...result,
  date,
  wanted: minutes,
  minutes: result.samples.at(-1).seconds / 60,
  seed,
  sizes: SIZES,
};
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, "soak.md"), page(run));
writeFileSync(join(values.out, "soak.svg"), plot(run.samples, `A daemon under load, ${date.slice(0, 10)}`));
process.stdout.write(page(run));
process.exit(isGood(run) ? 0 : 1);

function readArguments() {
  const options = {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    out: { type: "string", default: DOCS },
    help: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ options });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n\n${HELP}\n`);
  process.exit(2);
}
